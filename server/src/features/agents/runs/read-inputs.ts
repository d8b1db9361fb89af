/** The inputs of a run that is worked on, read back from its row. */
import { decodeJson } from '../../../platform/database/json.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import { add } from '../execution/add-step.ts'
import type { Execution } from '../execution/execution.ts'
import { attachmentTokensOf } from '../execution/prompt-within.ts'
import type { Attachments, Images } from '../inputs/attachments.ts'
import type { ResponseSchema } from '../inputs/structured-output.ts'
import type { RunRow } from '../records/run-store.ts'
import { attachedTo } from '../records/steps.ts'

export type ReadInputs = {
  responseSchema(run: RunRow): ResponseSchema | null
  /** Makes what is attached the first step of a run that has none yet; answers the images. */
  attach(run: RunRow, execution: Omit<Execution, 'history'>): Promise<Images>
}

export const createReadInputs = ({
  attachments,
  schemas,
}: {
  attachments: Attachments
  schemas: StrangersSchemas
}): ReadInputs => ({
  responseSchema({ workspace_id: owner, response_schema: stored }) {
    if (stored === null) return null
    const schema = decodeJson(stored)
    return { schema, check: value => schemas.check(schema, value, owner) }
  },
  async attach(run, execution) {
    const ids = decodeJson(run.attachments)
    if (ids.length === 0) return []
    const { caller } = execution.context
    const present = attachedTo(execution.steps)
    const step = present ?? (await attachments.read(caller, ids, attachmentTokensOf(execution)))
    if (present === undefined) add(step, execution)
    return await attachments.images(caller, step)
  },
})
