/** A tool as a value: one description that serves the models in runs, and any other door that offers tools. */

import type { Caller, Permission } from './caller.ts'
import type { FieldError } from './errors.ts'
import { type TObject, type TSchema, Type } from './json-schema/type.ts'

/** A piece of a document that an answer may quote; offsets count code points of the document's whole text. */
export type Passage = {
  chunkId: string
  documentId: string
  documentVersion: number
  title: string
  /** Exactly the document's text from `startOffset` to `endOffset`. */
  text: string
  page: number | null
  startOffset: number
  endOffset: number
}

/** What the model is shown where a tool answers passages. */
export const ShownPassages = Type.Object(
  {
    passages: Type.Array(
      Type.Object({
        cite: Type.String({ description: 'The marker by which an answer cites it.', examples: ['[1]'] }),
        title: Type.String({ description: 'Title of the document.' }),
        page: Type.Optional(
          Type.Integer({ description: 'Page number; left out for documents without pages.' }),
        ),
        text: Type.String({ description: 'The words of the document.' }),
      }),
    ),
    note: Type.Optional(Type.String({ description: 'What else is to be known of the result.' })),
  },
  { description: 'Passages of documents.' },
)

/** What a call has used of models besides the run's own calls; a cost of null is not known. */
export type Spent = { inputTokens: number; outputTokens: number; costUsd: number | null }

/** A connection whose service a call has asked, and the collection that its documents were kept in then. */
export type UsedConnection = { id: string; collectionId: string | null }

/** On whose behalf a tool acts, and how far it may reach. */
export type ToolContext = {
  /**
   * The author of the run; the tool may do what this caller may do, and no more. Where the run is narrowed, so is the scope:
   * all that a tool reads through it is what the run may read.
   */
  caller: Caller
  /** Collections that the agent is bound to; empty means all that the caller reaches. */
  collectionIds: readonly string[]
  /** Connections that the agent's tools may use. */
  connectionIds: readonly string[]
  /** Hosts that the agent may send requests to: `name`, `name:port` or `*.name`. */
  httpHosts: readonly string[]
  /** The agents that the agent may call. */
  agents: CallableAgents
  signal: AbortSignal
}

/** Other agents, as the run that calls them reaches them. */
export type CallableAgents = {
  list(): Promise<{ id: string; name: string; description: string | null }[]>
  /**
   * Runs the agent to its end as a part of this run. The same call, made again after an interruption, goes on with the
   * same run. Throws `ToolError` if the agent may not be called, or its run ended without an answer.
   */
  call(request: { agentId: string; prompt: string; toolCallId: string }): Promise<AgentAnswer>
}

/** `passages` are those that the answer cites; `output` names them by the markers that it is given. */
export type AgentAnswer = {
  runId: string
  output: (markers: readonly string[]) => string
  passages: Passage[]
  spent: Spent
}

/**
 * `passages` are numbered by the run, so that the model can cite them as [1], [2] …; `content` is whatever else came
 * out, as JSON, or how to write it once the passages have their markers; `note` is for the model too.
 */
export type ToolResult = {
  passages?: Passage[]
  content?: unknown
  contentFor?: (markers: readonly string[]) => unknown
  note?: string | undefined
  spent?: Spent
  /** Those whose words are in the result. */
  connections?: UsedConnection[]
}

export type Tool = {
  name: string
  /** Description of the tool for the model. */
  description: string
  /** More for the model, where that depends on the agent. */
  describe?(context: ToolContext): Promise<string>
  /** The tool as this agent is offered it, where more than the description depends on the agent. */
  forAgent?(context: ToolContext): Promise<Tool>
  /** The integration whose connections it uses: an agent has it only with one of them. */
  integrationId?: string
  /** The one connection whose server offers it; only with that one an agent has it. */
  connectionId?: string
  /** What the caller must hold for the tool to be offered at all. */
  permission: Permission
  /** False if a second call would do something twice; a run that is taken up again will not repeat it. */
  safeToRepeat: boolean
  /** Where it depends on the call: whether this one is safe although others are not. */
  isSafeToRepeat?(input: unknown): boolean
  /** True if every call waits for an approval, whatever the agent says. */
  needsApproval: boolean
  /** Where it depends on the call: whether this one waits although others do not. */
  callNeedsApproval?(input: unknown): boolean
  input: TObject
  /** What does not fit, where a stranger's schema says so and `input` is only shown to the model. */
  check?(input: unknown): Promise<FieldError[]>
  /** What the model and the step are shown of a result. */
  output: TSchema
  /** `input` has been validated against the schema above; `toolCallId` is the same when the call is made again. */
  run(context: ToolContext, input: unknown, toolCallId: string): Promise<ToolResult>
}

/** A call that came to nothing, for a reason that the model may know. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly spent: Spent | undefined
  /** Those of which the message tells. */
  readonly connections: UsedConnection[]

  constructor(
    message: string,
    options: { cause?: unknown; spent?: Spent; connections?: UsedConnection[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.spent = options.spent
    this.connections = options.connections ?? []
  }
}

/** A call whose answer has to be waited for longer than a run may hold a worker: it is made again once that is there. */
export class AnswerLater extends Error {
  override readonly name = 'AnswerLater'
}
