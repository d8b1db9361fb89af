/** The messages before a request: those of the response that it continues, and the items that it names by id. */
import type { Caller, WholeScope } from '../../platform/caller.ts'
import { invalidField, ServiceError } from '../../platform/errors.ts'
import type { Message } from '../agents/records/message-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import { type LinkTo, outcomeOf } from './answer.ts'
import { callItemIdOf, isSearchItem, messageIdOf, runIdOf } from './items.ts'
import type { Asked, Said } from './requests/reading.ts'
import { instructionsFirst, joined } from './requests/requests.ts'
import { hasInstructions } from './response-reply.ts'

/** How many runs a request may refer to by the ids of their items. */
export const mostReferredRuns = 100
/** The same limit as for one request, so that a chain of responses does not grow without end. */
const mostMessageCharacters = 2_000_000

/** The messages before a request, and the runs that they come from. */
export type History = { said: Said[]; runIds: string[] }

export type EarlierResponses = ReturnType<typeof createEarlierResponses>

export function createEarlierResponses({
  runs,
  linksFor,
}: {
  runs: RunService
  linksFor: (scope: WholeScope) => LinkTo
}) {
  /** Throws a 400 that names the parameter. */
  async function shown(caller: Caller, id: string, param: string) {
    const runId = runIdOf(id)
    const found = runId === null ? null : await runs.show(caller, runId).catch(nullWhereNotFound)
    if (found === null) throw invalidField(param, `There is no ${id} here`)
    return found
  }

  /**
   * All messages: `history`, or the earlier response's messages, and then `rest`. In `rest`, items that are named by
   * id are replaced by their messages. `runIds` are the runs that some messages come from.
   */
  async function saidIn(
    caller: Caller,
    asked: Asked,
    history: History,
  ): Promise<{ all: Said[]; rest: (Said & { itemId?: string })[]; runIds: string[] }> {
    const { previousId, said } = asked
    const own = asked.hasInstructions ? said.slice(0, 1) : []
    const before = previousId === null ? history : await saidBefore(caller, previousId)
    const known = new Map<string, Map<string, Message>>()
    const rest: (Said & { itemId?: string })[] = []
    for (const one of said.slice(own.length)) {
      if ('message' in one) {
        rest.push(one)
        continue
      }
      const runId = runIdOf(one.itemId) ?? ''
      if (!known.has(runId)) {
        if (known.size === mostReferredRuns) {
          throw invalidField(
            one.param,
            `is of one response more than the ${mostReferredRuns} that may be named`,
          )
        }
        known.set(runId, itemsOf((await shown(caller, one.itemId, one.param)).run, linksFor(caller.scope)))
      }
      // The model reads what was said of the search, not the search: clients that name each item name this one too.
      if (isSearchItem(one.itemId)) continue
      const message = known.get(runId)?.get(one.itemId)
      if (message === undefined) throw invalidField(one.param, `There is no item ${one.itemId} here`)
      rest.push({ ...one, message })
    }
    const all = joined([...own.filter(isSaid), ...before.said, ...rest])
    checkLength(asked, all)
    return { all: asking(instructionsFirst(all)), rest, runIds: [...before.runIds, ...known.keys()] }
  }

  async function saidBefore(caller: Caller, previousId: string): Promise<History> {
    const param = 'previous_response_id'
    const { run, messages } = await shown(caller, previousId, param)
    if (run.finishedAt === null && run.status !== 'waiting') {
      throw invalidField(param, 'has not ended: wait for it, or cancel it')
    }
    const kept = hasInstructions(run) ? messages.slice(1) : messages
    const said = [...kept, ...itemsOf(run, linksFor(caller.scope)).values()].map(message => ({
      param,
      message,
    }))
    return { said, runIds: [run.id] }
  }

  return {
    saidIn,
    /** The answer of a run so far, by the ids of its items. Throws `not_found`. */
    async outputOf(caller: Caller, runId: string) {
      const { run } = await runs.show(caller, runId)
      return {
        isWorking: run.finishedAt === null && run.status !== 'waiting',
        output: itemsOf(run, linksFor(caller.scope)),
      }
    },
  }
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'not_found'

export function nullWhereNotFound(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}

const isSaid = (one: Asked['said'][number]): one is Said => 'message' in one

/**
 * Without a message of the user, the assistant's last words ask: OpenAI's agents package hands a conversation over in
 * one message of the assistant, before the call that hands over and its result.
 */
function asking(said: readonly Said[]): Said[] {
  const at = said.findLastIndex(
    ({ message }) => message.role === 'assistant' && message.content !== undefined,
  )
  const isOfUser = said.some(({ message }) => message.role === 'user')
  return said.flatMap((one, index) => {
    const { message } = one
    if (isOfUser || index !== at || message.role !== 'assistant') return [one]
    const { content = '', ...calls } = message
    const question: Said = { ...one, message: { role: 'user', content } }
    return calls.toolCalls === undefined ? [question] : [question, { ...one, message: calls }]
  })
}

/** The answer of the run, by the ids of its response's items. */
function itemsOf(run: Run, linkTo: LinkTo): Map<string, Message> {
  const outcome = outcomeOf(run, linkTo)
  if (outcome.kind !== 'answer') return new Map()
  const { texts, calls } = outcome.answer
  return new Map<string, Message>([
    ...texts.map(({ stepIndex, text }): [string, Message] => [
      messageIdOf(run.id, stepIndex),
      { role: 'assistant', content: text },
    ]),
    ...calls.map(({ index, id, name, arguments: input }): [string, Message] => [
      callItemIdOf(run.id, index),
      {
        role: 'assistant',
        toolCalls: [{ toolCallId: id, name, input: JSON.parse(input) as Record<string, unknown> }],
      },
    ]),
  ])
}

function checkLength({ previousId, conversationId, said }: Asked, all: readonly Said[]): void {
  const isOwn = previousId === null && conversationId === null && said.every(isSaid)
  // The request's own messages have the limit of a request.
  if (isOwn || JSON.stringify(all).length <= mostMessageCharacters) return
  throw invalidField(
    previousId !== null ? 'previous_response_id' : conversationId !== null ? 'conversation' : 'input',
    `would make messages of more than ${mostMessageCharacters} characters: begin again, with fewer`,
  )
}
