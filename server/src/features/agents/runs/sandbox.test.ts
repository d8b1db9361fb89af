/** The sandbox: every outcome of a run on request, in each way of following it, the same every time, free and without the outside. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { failureWords } from '../../../platform/models/sandbox/failures.ts'
import { type SandboxApp, startSandboxApp } from '../../../testing/apps/sandbox-app.ts'
import { textOfStep } from '../../../testing/event-streams.ts'
import { runErrorCodes } from '../records/run-errors.ts'
import type { Run } from '../records/run-schemas.ts'

let sandbox: SandboxApp

before(async () => {
  sandbox = await startSandboxApp()
})

after(() => sandbox.close())

/** Runs the prompt once in each way; the three records, which have to be the same but for ids and times. */
async function inEachWay(agentId: string, body: Record<string, unknown>): Promise<Run> {
  const waited = await sandbox.wait(agentId, body)
  const events = await sandbox.stream(agentId, body)
  const last = events.at(-1)?.data.run
  assert.equal(events.at(-1)?.event, `run.${waited.status}`)
  assert.deepEqual(
    events.flatMap(({ data }) => (data.step === undefined ? [] : [data.step])),
    last?.steps,
  )
  if (last?.output !== null) assert.equal(textOfStep(events, (last?.steps.length ?? 0) - 1), last?.output)
  const background = await sandbox.background(agentId, body)
  assert.deepEqual(timeless(last), timeless(waited))
  assert.deepEqual(timeless(background), timeless(waited))
  return waited
}

const times = ['createdAt', 'startedAt', 'finishedAt', 'durationMs']

/** Without what no two runs have in common. */
const timeless = (run: Run | undefined): unknown =>
  JSON.parse(JSON.stringify(run), (key, value) =>
    times.includes(key)
      ? undefined
      : typeof value === 'string'
        ? value.replace(/\b(run|cnv)_\w+/, '$1')
        : value,
  )

/** Each word that fails a run, with its code. */
const failures: Record<string, keyof typeof runErrorCodes> = {
  'sim:not_configured': 'model_not_configured',
  'sim:unauthorized': 'model_unauthorized',
  'sim:not_found': 'model_not_found',
  'sim:rate_limited': 'model_rate_limited',
  'sim:quota_exceeded': 'model_quota_exceeded',
  'sim:unavailable': 'model_unavailable',
  'sim:timeout': 'model_timeout',
  'sim:request_rejected': 'model_request_rejected',
  'sim:invalid_response': 'model_invalid_response',
  'sim:context_too_long': 'context_too_long',
  'sim:content_filtered': 'content_filtered',
  'sim:output_truncated': 'output_truncated',
  'sim:max_steps': 'max_steps',
  'sim:max_cost': 'max_cost',
  'sim:budget_exceeded': 'budget_exceeded',
  'sim:output_invalid': 'output_invalid',
  'sim:attachment_unavailable': 'attachment_unavailable',
  'sim:run_timeout': 'run_timeout',
  'sim:tool_error': 'tool_error',
  'sim:run_interrupted': 'run_interrupted',
  'sim:approval_expired': 'approval_expired',
  'sim:access_revoked': 'access_revoked',
  'sim:internal_error': 'internal_error',
  'sim:model_rate_limited': 'model_rate_limited',
  'sim:nothing_like_it': 'model_request_rejected',
}

test('there is a word for every code that a run can end with', () => {
  const simulated = new Set(Object.values(failures))
  assert.deepEqual(
    Object.keys(runErrorCodes).filter(code => !simulated.has(code as keyof typeof runErrorCodes)),
    [],
  )
})

test('the guide names every word that ends a run, with its code', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../../docs/guides/sandbox.md'), 'utf8')
  for (const word of failureWords) {
    const [, code = ''] = new RegExp(`^\\| \`sim:${word}\` \\| fails with \`(\\w+)\``, 'm').exec(guide) ?? []
    assert.equal(code, failures[`sim:${word}`], word)
  }
})

for (const [prompt, code] of Object.entries(failures)) {
  test(`${prompt} fails with ${code}, whether the agent has tools or not, in each way of following`, async () => {
    for (const agentId of [sandbox.agentId, sandbox.bareAgentId]) {
      const run = await inEachWay(agentId, { prompt })
      assert.equal(run.status, 'failed')
      assert.deepEqual([run.error?.code, run.error?.retryable], [code, runErrorCodes[code]])
      assert.notEqual(run.error?.message, '')
      assert.equal(run.output, null)
      assert.equal(run.model, 'sandbox')
    }
  })
}

const found = '"Ducks may enter 🦆 freely." [1]'
const search = 'sim:tool=search_knowledge({"query": "May ducks enter?"})'

const successes: Record<string, string> = {
  'May ducks enter?': found,
  'sim:output=Hello\n you': 'Hello\n you',
  'sim:slow=20ms': 'Done, as the prompt says.',
  'sim:slow=20ms May ducks enter?': found,
  'sim:stream=3': 'word1 word2 word3',
  'sim:reasoning': 'Done, as the prompt says.',
  'sim:restart sim:output=Once more': 'Once more',
  [search]: `search_knowledge: ${found}`,
  [`${search} May ducks enter?`]: found,
  'sim:tool=format_disk':
    'format_disk failed: There is no tool format_disk; there is search_knowledge, calculator, current_time, http_request',
  'sim:tool=current_time({"timeZone": })': 'current_time failed: The arguments are not valid JSON',
}

for (const [prompt, output] of Object.entries(successes)) {
  test(`${JSON.stringify(prompt)} answers ${JSON.stringify(output.slice(0, 40))} in each way of following`, async () => {
    const run = await inEachWay(sandbox.agentId, { prompt })
    assert.deepEqual([run.status, run.error, run.usage.costUsd], ['succeeded', null, 0])
    assert.ok(run.usage.inputTokens > 0 && run.usage.outputTokens > 0)
    assert.ok(
      output.startsWith('current_time')
        ? run.output?.startsWith('current_time failed')
        : run.output === output,
    )
  })
}
