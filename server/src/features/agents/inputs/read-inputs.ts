/** The inputs of a run that is worked on, read back from its row. */
import { decodeJson } from '../../../platform/database/json.ts'
import type { SchemaReader } from '../../../platform/json-schema/read-schema.ts'
import { add } from '../execution/add-step.ts'
import type { Execution } from '../execution/execution.ts'
import { attachmentTokensOf } from '../execution/prompt-within.ts'
import type { RunRow } from '../runs/run-store.ts'
import { attachedTo } from '../runs/steps.ts'
import type { Attachments, Images } from './attachments.ts'
import type { ResponseSchema } from './structured-output.ts'

export type ReadInputs = {
  responseSchema(run: RunRow): ResponseSchema | null
  /** Makes what is attached the first step of a run that has none yet; answers the images. */
  attach(run: RunRow, execution: Omit<Execution, 'history'>): Promise<Images>
}

export const createReadInputs = ({
  attachments,
  readSchema,
}: {
  attachments: Attachments
  readSchema: SchemaReader
}): ReadInputs => ({
  responseSchema({ id, response_schema: stored }) {
    if (stored === null) return null
    const schema = decodeJson(stored)
    const read = readSchema(schema)
    if ('fault' in read) throw new Error(`Run ${id} has a response schema that is none`)
    return { schema, check: read.check }
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
