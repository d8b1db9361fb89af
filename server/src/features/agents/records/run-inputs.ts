/** What a run was asked, read back from its record: to ask the same again, and to compare. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { decodeJson } from '../../../platform/database/json.ts'
import type { NewRun } from './run-schemas.ts'
import type { RunRow } from './run-store.ts'

/** Everything but the conversation and the revision. The limits are those that the run had, given or not. */
export const inputsOf = (row: RunRow): Omit<NewRun, 'conversationId' | 'revision'> =>
  withoutUndefined({
    prompt: row.prompt,
    endUserId: row.end_user_id ?? undefined,
    metadata: decodeJson(row.metadata),
    responseSchema: row.response_schema === null ? undefined : decodeJson(row.response_schema),
    attachments: decodeJson(row.attachments),
    variables: decodeJson(row.variables),
    limits: withoutUndefined<NonNullable<NewRun['limits']>>({
      maxSteps: row.max_steps,
      timeoutSeconds: row.timeout_ms / 1000,
      maxCostUsd: row.max_cost_usd ?? undefined,
      maxOutputTokens: row.max_output_tokens ?? undefined,
    }),
  })
