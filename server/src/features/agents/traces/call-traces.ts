/** Erases words from the arguments of tool calls, wherever they stand besides the steps. */
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import type { Redaction } from './redaction.ts'

export async function eraseFromCalls(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  await eraseFromKept(tx, runId, redaction)
  await eraseFromStarted(tx, runId, redaction)
}

/** Calls that waited for an approval, or must not be repeated. */
async function eraseFromKept(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_tool_calls')
    .select(['call_id', 'input'])
    .where('run_id', '=', runId)
    .execute()
  for (const { call_id: callId, input } of rows) {
    const redacted = encodeJson(redaction.redactValue(decodeJson(input)))
    if (redacted === input) continue
    await tx
      .updateTable('run_tool_calls')
      .set({ input: redacted })
      .where('run_id', '=', runId)
      .where('call_id', '=', callId)
      .execute()
  }
}

/** What followers were told when a call began. */
async function eraseFromStarted(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_events')
    .select(['position', 'data'])
    .where('run_id', '=', runId)
    .where('type', '=', 'step.started')
    .execute()
  for (const { position, data } of rows) {
    const told = decodeJson(data)
    const redacted = encodeJson({ ...told, input: redaction.redactValue(told.input) })
    if (told.input === undefined || redacted === data) continue
    await tx
      .updateTable('run_events')
      .set({ data: redacted })
      .where('run_id', '=', runId)
      .where('position', '=', position)
      .execute()
  }
}
