/** Erases words from what the followers of runs were told. */
import type { Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { textEventTypes } from '../events/run-event-schemas.ts'
import type { Redaction } from './redaction.ts'

/** A text that lies in several events is looked at as a whole; once something was erased, the first of them holds it all. */
export async function eraseFromEvents(tx: Tx, runId: string, redaction: Redaction): Promise<void> {
  const rows = await tx
    .selectFrom('run_events')
    .select(['position', 'type', 'data'])
    .where('run_id', '=', runId)
    .where('type', 'in', [...textEventTypes])
    .orderBy('position')
    .execute()
  const texts = Map.groupBy(rows, ({ type, data }) => `${type} ${decodeJson(data).stepIndex}`)
  for (const pieces of texts.values()) {
    const whole = pieces.map(({ data }) => String(decodeJson(data).text)).join('')
    const redacted = redaction.redact(whole)
    if (redacted === whole) continue
    for (const [place, { position, data }] of pieces.entries()) {
      const changed = encodeJson({ ...decodeJson(data), text: place === 0 ? redacted : '' })
      await tx
        .updateTable('run_events')
        .set({ data: changed })
        .where('run_id', '=', runId)
        .where('position', '=', position)
        .execute()
    }
  }
}
