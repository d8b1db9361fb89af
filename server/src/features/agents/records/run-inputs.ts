/** What a run was asked, read back from its record: to ask the same again, and to compare. */
import { decodeJson } from '../../../platform/database/json.ts'
import type { NewRun } from './run-schemas.ts'
import type { RunRow } from './run-store.ts'

/** Everything but the conversation and the revision. The limits are those that the run had, given or not. */
export const inputsOf = (row: RunRow): Omit<NewRun, 'conversationId' | 'revision'> => ({
  prompt: row.prompt,
  ...(row.end_user_id === null ? {} : { endUserId: row.end_user_id }),
  metadata: decodeJson(row.metadata),
  ...(row.response_schema === null ? {} : { responseSchema: decodeJson(row.response_schema) }),
  attachments: decodeJson(row.attachments),
  variables: decodeJson(row.variables),
  limits: {
    maxSteps: row.max_steps,
    timeoutSeconds: row.timeout_ms / 1000,
    ...(row.max_cost_usd === null ? {} : { maxCostUsd: row.max_cost_usd }),
    ...(row.max_output_tokens === null ? {} : { maxOutputTokens: row.max_output_tokens }),
  },
})
