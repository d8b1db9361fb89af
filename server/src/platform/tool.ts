/** A tool as a value: one description that serves the models in runs, and any other door that offers tools. */
import type { TObject } from 'typebox'
import type { Caller, Permission } from './caller.ts'

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

/** On whose behalf a tool acts, and how far it may reach. */
export type ToolContext = {
  /** The author of the run; the tool may do what this caller may do, and no more. */
  caller: Caller
  /** Collections that the agent is bound to; empty means all that the caller reaches. */
  collectionIds: readonly string[]
  signal: AbortSignal
}

/** `passages` are numbered by the run, so that the model can cite them as [1], [2] …; `note` is for the model too. */
export type ToolResult = { passages: Passage[]; note?: string }

export type Tool = {
  name: string
  /** What the model is told that the tool is for. */
  description: string
  /** What the caller must hold for the tool to be offered at all. */
  permission: Permission
  /** False where a second call would do something twice; a run that is taken up again will not repeat it. */
  safeToRepeat: boolean
  input: TObject
  /** `input` has been validated against the schema above. */
  run(context: ToolContext, input: unknown): Promise<ToolResult>
}
