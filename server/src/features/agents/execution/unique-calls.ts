/** Gives every tool call of a run an id of its own: some model servers begin with `call_1` in each answer. */
import { callsOf, type ModelStep, type Step } from '../records/steps.ts'

/** The same step where all of its ids are new to the run. */
export function withUniqueCalls(asked: ModelStep, before: readonly Step[]): ModelStep {
  const taken = new Set(
    before.flatMap(step => (step.type === 'model' ? callsOf(step).map(({ toolCallId }) => toolCallId) : [])),
  )
  const content = asked.record.content.map(part => {
    if (part.type !== 'tool-call') return part
    const toolCallId = freeId(part.toolCallId, taken)
    taken.add(toolCallId)
    return toolCallId === part.toolCallId ? part : { ...part, toolCallId }
  })
  return { ...asked, record: { ...asked.record, content } }
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const id = number === 1 ? wanted : `${wanted}_${number}`
    if (!taken.has(id)) return id
  }
}
