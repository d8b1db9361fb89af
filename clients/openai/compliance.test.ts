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
import { textOf, tryClient, words } from './server.ts'

const tried = tryClient()

/**
 * All that pass, by their surface. Of the others, `limits-max-tokens` is the scripted model's, which always counts 100
 * tokens; `logprobs`, `n-choices` and `mcp-tools` are refused, as the guide says; the rest asks more of a model.
 */
const passing: Readonly<Record<string, string>> = {
  models: `
    list
  `,
  chat: `
    basic streaming parity usage stream-usage finish-length limits-stop unicode errors
    tool-serialization tool-stream-reassembly tool-result-turn parallel-tools tool-choice-none
    parallel-tools-off tool-arg-types json-mode structured-outputs structured-markers vision seed top-p
    reasoning reasoning-scratchpad reasoning-roundtrip rate-limit-headers max-tokens-alias assistant-prefill
    stop-string template-kwargs sampling-extensions
  `,
  responses: `
    basic streaming parity usage stream-usage finish-length unicode errors tool-serialization
    tool-stream-reassembly tool-result-turn parallel-tools tool-choice-none parallel-tools-off
    tool-arg-types json-mode structured-outputs structured-markers vision top-p reasoning
    reasoning-scratchpad rate-limit-headers reasoning-effort-none event-order background
    previous-response-id
  `,
}

type Result = { id: string; surface: string; outcome: string; failures: unknown[] }

test('exactly these checks of the compliance test pass', async t => {
  tried.modelServer.setScript(obedient)
  const home = await mkdtemp(join(tmpdir(), 'atrium-compliance-'))
  t.after(() => rm(home, { recursive: true }))
  const report = join(home, 'report.json')
  await probe(home, report)
  const { conformance } = JSON.parse(await readFile(report, 'utf8')) as { conformance: { results: Result[] } }
  for (const [surface, ids] of Object.entries(passing)) {
    const results = conformance.results.filter(one => one.surface === surface)
    const passed = results.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id)
    const failed = results.filter(({ outcome }) => outcome === 'fail')
    const expected = ids
      .trim()
      .split(/\s+/)
      .map(id => `${surface}-${id}`)
    assert.deepEqual(passed.sort(), expected.sort(), JSON.stringify(failed, null, 2))
  }
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
    const calls = tools.map(({ function: { name, parameters } }) => ({
      name,
      arguments: sampleOf(parameters as never, 'Paris'),
    }))
    return { kind: 'tool_calls', calls }
  }
  if (format?.type === 'json_object') return { kind: 'answer', text: '{"ok": true}' }
  if (format?.json_schema !== undefined) {
    return { kind: 'answer', text: JSON.stringify(sampleOf(format.json_schema.schema, 'Paris')) }
  }
  const text = [words, ...messages.slice(0, -1).map(textOf)].join(' ')
  return { kind: 'answer', text, finishReason: most !== undefined && most < 50 ? 'length' : 'stop' }
}
