/** Agents as tools: their names, a run for each question, and the handling of runs that do not answer at once. */
import { withoutOuter } from '@atrium/connectors/trim'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Scope } from '../../platform/caller.ts'
import { secondMs } from '../../platform/clock.ts'
import { consolePage } from '../../platform/console-page.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import type { Tool } from '../../platform/tool.ts'
import type { AgentService } from '../agents/definitions/agent-service.ts'
import { beginning, type RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import type { RunService } from '../agents/runs/run-service.ts'
import { partAt, Refusal } from './documents.ts'
import { type AnswerOutput, type AskInput, askInputOf } from './schemas.ts'

/** Hosted assistants give up a call after 300 seconds; before that they are told what to do next. */
const longestAnswerMs = 290 * secondMs
const beatMs = 10 * secondMs
const maxAnswer = 60_000
/** In characters, for the JSON of an answer with its citations. */
const maxLength = 145_000

const namePrefix = 'ask_'
const maxWords = 24
const idEndLength = 8

type RunRecord = Awaited<ReturnType<RunService['get']>>
type OfferedAgent = Awaited<ReturnType<AgentService['offered']>>[number]

/** The signals and callbacks of a call. */
export type Work = {
  /** Aborted once the client no longer waits for the answer. */
  signal: AbortSignal
  /** Aborted once the server closes. */
  closing: AbortSignal
  /** Tells the client about the progress; null if the client did not ask for it. */
  progress: ((message: string) => void) | null
}

export type Asking = ReturnType<typeof createAsking>

export function createAsking({
  agents,
  runs,
  presentRun,
  tools,
  urlOf,
  publicUrl,
}: {
  agents: Pick<AgentService, 'offered' | 'findOffered'>
  runs: Pick<RunService, 'begin' | 'get' | 'follow' | 'cancel'>
  presentRun: (record: RunRecord, scope: Scope) => Run
  tools: readonly Tool[]
  urlOf: (scope: Scope, documentId: string) => string
  publicUrl: () => string
}) {
  /** Tools that only read, for any input. */
  const harmless = new Set(
    tools
      .filter(tool => tool.safeToRepeat && !tool.needsApproval && tool.callNeedsApproval === undefined)
      .map(({ name }) => name),
  )

  /** Returns the run once it has ended or waits, or in its current state when the time is over. */
  async function atRest(caller: Caller, runId: string, work: Work): Promise<RunRecord> {
    const { signal, closing, progress } = work
    const stop = AbortSignal.any([signal, closing, AbortSignal.timeout(longestAnswerMs)])
    try {
      if (progress !== null) await tellProgress(caller, runId, progress, stop)
      return await runs.get(caller, runId, { waitMs: longestAnswerMs, signal: stop })
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
      throw notFound(`There is no run ${runId}`, { resource: 'run', id: runId })
    }
  }

  async function tellProgress(
    caller: Caller,
    runId: string,
    progress: (message: string) => void,
    stop: AbortSignal,
  ): Promise<void> {
    const beat = setInterval(() => progress('The agent is at work'), beatMs)
    try {
      for await (const { data } of runs.follow(caller, runId, beginning, stop)) {
        const message = progressOf(data)
        if (message !== null) progress(message)
      }
    } finally {
      clearInterval(beat)
    }
  }

  /** Throws `Refusal` unless the run has succeeded. */
  function answerOf(record: RunRecord, scope: Scope): AnswerOutput {
    const run = presentRun(record, scope)
    if (run.status !== 'succeeded')
      throw new Refusal(whyNot(run, consolePage(publicUrl(), scope.environment, `/runs/${run.id}`)))
    const answer: AnswerOutput = {
      runId: run.id,
      conversationId: run.conversationId,
      answer: cut(run.output ?? '', run.id),
      citations: [],
    }
    let length = JSON.stringify(answer).length
    for (const { marker, documentId, quote, page, startOffset } of run.citations) {
      const citation = {
        marker,
        id: partAt(documentId, startOffset),
        url: urlOf(scope, documentId),
        quote,
        page,
      }
      length += JSON.stringify(citation).length + 1
      if (length > maxLength) break
      answer.citations.push(citation)
    }
    return answer
  }

  return {
    /** Agents after a given one, oldest first: in the same order each time. */
    offered: agents.offered,

    /** Finds the agent of a tool's name, even if the agent has been renamed since. */
    async find(caller: Caller, name: string): Promise<OfferedAgent | undefined> {
      const [, idEnd] = /^ask_(?:[a-z0-9_]+_)?([0-9a-z]{8})$/.exec(name) ?? []
      return idEnd === undefined ? undefined : await agents.findOffered(caller, idEnd)
    },

    describe({ id, name, description, ...agent }: OfferedAgent) {
      // The effects of other agents that it calls, and of its functions, are unknown here.
      const isAlone = agent.agentIds.length === 0 && agent.functions.length === 0
      const isHarmless = isAlone && agent.tools.every(tool => harmless.has(tool))
      return {
        name: `${namePrefix}${wordsOf(name)}${id.slice(-idEndLength)}`,
        title: `Ask ${name}`,
        description: `${description ?? `Asks the agent ${name}.`}\n\nAnswers with citations of the documents that the answer rests on. May take minutes.`,
        input: askInputOf(agent.variables),
        isHarmless,
      }
    },

    /**
     * Starts a run and waits for its answer. If the client stops waiting, the run is cancelled: its answer would be
     * lost but still paid for.
     */
    async ask(caller: Caller, agent: OfferedAgent, input: AskInput, work: Work): Promise<AnswerOutput> {
      const runId = await runs.begin(caller, agent.id, withoutUndefined(input))
      const record = await atRest(caller, runId, work)
      if (work.signal.aborted && record.row.finished_at === null) {
        await runs.cancel(caller, runId, { waitMs: 0, signal: work.signal })
      }
      return answerOf(record, caller.scope)
    },

    /** The answer of a run that was begun before. */
    async answer(caller: Caller, runId: string, work: Work): Promise<AnswerOutput> {
      return answerOf(await atRest(caller, runId, work), caller.scope)
    },
  }
}

/** Uses only letters that every client accepts. A name without such letters is known only by the end of the id. */
function wordsOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, maxWords)
  const words = withoutOuter(letters, '_')
  return words === '' ? '' : `${words}_`
}

function progressOf({ type, stepType, name }: RunEvent): string | null {
  switch (type) {
    case 'run.queued':
      return 'The agent will begin soon'
    case 'run.started':
      return 'The agent has begun'
    case 'step.started':
      return stepType === 'tool' ? `The agent uses ${name}` : 'The agent thinks'
    default:
      return null
  }
}

const cut = (answer: string, runId: string): string =>
  answer.length <= maxAnswer
    ? answer
    : `${answer.slice(0, maxAnswer)}\n\n[Cut: the whole answer has ${answer.length} characters and is in ${runId}]`

/** Explains why there is no answer, and what to do. */
function whyNot(run: Run, url: string): string {
  const goOn = `Then call get_answer with {"runId": "${run.id}"}`
  const named = (calls: Run['pendingApprovals']) => [...new Set(calls.map(({ name }) => name))].join(', ')
  switch (run.status) {
    case 'waiting':
      return run.pendingApprovals.length > 0
        ? `A person must approve what the agent wants to do (${named(run.pendingApprovals)}). Ask for a decision at ${url}. ${goOn}.`
        : `The agent waits for results of ${named(run.pendingToolCalls)}, which another program must send to /api/v1/runs/${run.id}/tool-results. ${goOn}.`
    case 'failed': {
      const { message, code, retryable } = run.error ?? {
        message: '',
        code: 'internal_error',
        retryable: true,
      }
      return `The run ${run.id} failed: ${message} (${code}). ${retryable ? 'The same question may be answered later.' : 'Asking the same again will fail too.'}`
    }
    case 'cancelled':
      return `The run ${run.id} was cancelled`
    default:
      return `The agent is still at work, and no call waits longer. Call get_answer with {"runId": "${run.id}"} to go on waiting.`
  }
}
