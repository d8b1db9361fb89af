/** How many bytes a run stores, on the run's row and summed on its agent's row; they count in the plan's storage. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { RunRow } from './run-store.ts'

type RequestTexts = Pick<
  RunRow,
  | 'prompt'
  | 'messages'
  | 'metadata'
  | 'response_schema'
  | 'variables'
  | 'collection_ids'
  | 'filter'
  | 'functions'
>

/** The bytes of the request; `countRunBytes` counts what the run writes. */
export const requestBytes = ({
  prompt,
  messages,
  metadata,
  response_schema: schema,
  variables,
  collection_ids: ids,
  filter,
  functions,
}: RequestTexts): number =>
  [prompt, messages ?? '', metadata, schema ?? '', variables, ids ?? '', filter ?? '', functions].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  )

/** Counts all stored bytes of the run, on its row and on its agent's. */
export async function countRunBytes(tx: Tx, runId: string): Promise<void> {
  const [row] = (await selectBytes(tx, { runId })).rows
  if (row === undefined) return
  const bytes = Number(row.bytes)
  const added = bytes - row.before
  if (added === 0) return
  await setBytes(tx, { runId, bytes })
  await addBytes(tx, { agentId: row.agentId, added })
}

const selectBytes = statement((query, { runId }: { runId: string }) =>
  query
    .selectFrom('runs')
    .select(['agent_id as agentId', 'stored_bytes as before'])
    .select(
      sql<number>`octet_length(prompt) + coalesce(octet_length(messages), 0) + coalesce(octet_length(output), 0)
        + coalesce(octet_length(structured_output), 0) + coalesce(octet_length(response_schema), 0)
        + octet_length(citations) + octet_length(metadata) + octet_length(variables) + octet_length(functions)
        + coalesce(octet_length(collection_ids), 0) + coalesce(octet_length(filter), 0)
        + coalesce((SELECT sum(octet_length(record)) FROM run_steps WHERE run_id = runs.id), 0)
        + coalesce((SELECT sum(octet_length(data)) FROM run_events WHERE run_id = runs.id), 0)
        + coalesce((SELECT sum(octet_length(input) + coalesce(octet_length(result), 0)) FROM run_tool_calls WHERE run_id = runs.id), 0)`.as(
        'bytes',
      ),
    )
    .where('id', '=', runId),
)

const setBytes = statement((tx, { runId, bytes }: { runId: string; bytes: number }) =>
  tx.updateTable('runs').set({ stored_bytes: bytes }).where('id', '=', runId),
)

const addBytes = statement((tx, { agentId, added }: { agentId: string; added: number }) =>
  tx
    .updateTable('agents')
    .set(({ eb }) => ({ run_bytes: eb('run_bytes', '+', added) }))
    .where('id', '=', agentId),
)
