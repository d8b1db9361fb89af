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
  /** The headings above it, from the topmost one; in a long table the names of its columns come last. */
  headings?: string[]
  /** Exactly the document's text from `startOffset` to `endOffset`. */
  text: string
  page: number | null
  startOffset: number
  endOffset: number
  /** How well it fits what a search looked for; only scores of one search compare. */
  score?: number
  /** The row of a table that fits best, by the names of its columns. */
  cells?: Readonly<Record<string, string>>
}

/** What the model is shown if a tool returns passages. */
export const ShownPassages = Type.Object(
  {
    passages: Type.Array(
      Type.Object({
        cite: Type.String({ description: 'The marker by which an answer cites it.', examples: ['[1]'] }),
        title: Type.String({ description: 'Title of the document.' }),
        page: Type.Optional(
          Type.Integer({ description: 'Page number; left out for documents without pages.' }),
        ),
        headings: Type.Optional(
          Type.Array(Type.String(), {
            description: 'The headings above it; in a long table the names of its columns come last.',
          }),
        ),
        text: Type.String({ description: 'The words of the document.' }),
        cells: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'The row of a table in it that fits best, by the names of the columns.',
          }),
        ),
      }),
    ),
    note: Type.Optional(Type.String({ description: 'What else is to be known of the result.' })),
  },
  { description: 'Passages of documents.' },
)

/** What a call has used of models besides the run's own calls. A cost of null is unknown. */
export type Spent = { inputTokens: number; outputTokens: number; costUsd: number | null }

/** A connection whose service a call has asked, and the collection that held its documents then. */
export type UsedConnection = { id: string; collectionId: string | null }

/** The caller that a tool acts for, and how far the tool may reach. */
export type ToolContext = {
  /**
   * The author of the run. The tool may do what this caller may do, and no more. If the run is narrowed, so is the
   * scope: all that a tool reads through it is what the run may read.
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
   * Runs the agent to its end as a part of this run. If the same call is made again after an interruption, it goes on
   * with the same run. Throws `ToolError` if the agent may not be called, or its run ended without an answer.
   */
  call(request: { agentId: string; prompt: string; toolCallId: string }): Promise<AgentAnswer>
}

/** `passages` are the passages that the answer cites. `output` writes the answer with the given markers. */
export type AgentAnswer = {
  runId: string
  output: (markers: readonly string[]) => string
  passages: Passage[]
  spent: Spent
}

/**
 * The run numbers `passages`, so that the model can cite them as [1], [2] …. `content` is the rest of the result, as
 * JSON. `contentFor` writes that rest once the passages have their markers. `note` is for the model too.
 */
export type ToolResult = {
  passages?: Passage[]
  content?: unknown
  contentFor?: (markers: readonly string[]) => unknown
  note?: string | undefined
  spent?: Spent
  /** The connections whose words are in the result. */
  connections?: UsedConnection[]
}

export type Tool = {
  name: string
  /** Description of the tool for the model. */
  description: string
  /** More text for the model, if it depends on the agent. */
  describe?(context: ToolContext): Promise<string>
  /** The tool as this agent is offered it, if more than the description depends on the agent. */
  forAgent?(context: ToolContext): Promise<Tool>
  /** The integration whose connections the tool uses. An agent has the tool only with one of these connections. */
  integrationId?: string
  /** The one connection whose server offers the tool. An agent has the tool only with this connection. */
  connectionId?: string
  /** The permission without which the caller is not offered the tool. */
  permission: Permission
  /** False if a second call would do something twice. A run that is taken up again does not repeat such a call. */
  safeToRepeat: boolean
  /** If it depends on the call: whether this call is safe although others are not. */
  isSafeToRepeat?(input: unknown): boolean
  /** True if every call waits for an approval, whatever the agent's settings say. */
  needsApproval: boolean
  /** If it depends on the call: whether this call waits although others do not. */
  callNeedsApproval?(input: unknown): boolean
  input: TObject
  /** What does not fit, if a stranger's schema decides and `input` is only shown to the model. */
  check?(input: unknown): Promise<FieldError[]>
  /** What the model and the step are shown of a result. */
  output: TSchema
  /** `input` has been validated against the schema above. A call that is made again has the same `toolCallId`. */
  run(context: ToolContext, input: unknown, toolCallId: string): Promise<ToolResult>
}

/** A call that failed, for a reason that the model may know. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly spent: Spent | undefined
  /** The connections that the message is about. */
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

/** A call whose answer takes longer than a run may hold a worker. The call is made again once the answer is there. */
export class AnswerLater extends Error {
  override readonly name = 'AnswerLater'
}
