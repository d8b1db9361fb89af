/** An open compliance test of other people, against an agent whose model does what it is asked. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleOf } from '../../server/src/platform/json-schema/sample.ts'
import type { ModelBehaviour } from '../../server/src/testing/servers/model-script.ts'
import type { CompletionRequest } from '../../server/src/testing/servers/model-server.ts'
import { tryClient, words } from './server.ts'

const tried = tryClient()

type Result = { id: string; surface: string; outcome: string; failures: { id: string; message: string }[] }

test('what passes of the compliance test', async t => {
  tried.modelServer.setScript(obedient)
  const home = await mkdtemp(join(tmpdir(), 'atrium-compliance-'))
  t.after(() => rm(home, { recursive: true }))
  const report = join(home, 'report.json')
  await probe(home, report)
  const { conformance } = JSON.parse(await readFile(report, 'utf8')) as { conformance: { results: Result[] } }
  for (const r of conformance.results) console.log(r.id, r.outcome, JSON.stringify(r.failures).slice(0, 300))
})

/** Its exit code tells of faults too, which the report names. */
async function probe(home: string, report: string): Promise<void> {
  const program = join(import.meta.dirname, 'node_modules', 'llmprobe', 'bin', 'dist', 'llmprobe.mjs')
  const options = ['--api-key', tried.key, '--model', tried.model, '--timeout', '10']
  const output = ['--no-bench', '--no-save', '--json', '--save', report]
  const child = spawn(process.execPath, [program, tried.baseUrl, ...options, ...output], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
}

/** Calls what it is given, writes what fits, and stops where it has to. */
function obedient(request: CompletionRequest): ModelBehaviour {
  const { messages, tools = [], tool_choice: choice, response_format: format, max_tokens: most } = request
  const hasResult = messages.at(-1)?.role === 'tool'
  if (tools.length > 0 && choice !== 'none' && !hasResult) {
    const calls = tools.map(({ function: { name, parameters } }) => ({ name, arguments: sampleOf(parameters as never, 'Paris') }))
    return { kind: 'tool_calls', calls }
  }
  if (format?.type === 'json_object') return { kind: 'answer', text: '{"ok": true}' }
  if (format?.json_schema !== undefined) {
    return { kind: 'answer', text: JSON.stringify(sampleOf(format.json_schema.schema, 'Paris')) }
  }
  if (most !== undefined && most < 50) return { kind: 'answer', text: words, finishReason: 'length' }
  return { kind: 'answer', text: words }
}
