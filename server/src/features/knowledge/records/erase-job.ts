/** The jobs that erase: one document, one collection, or whatever is due. */
import type { Scope } from '../../../platform/caller.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const eraseQueue = 'knowledge-erase'

type BareScope = Pick<Scope, 'workspaceId' | 'environment'>

export type ErasePayload = { scope: BareScope } & (
  | { documentId: string }
  | { collectionId: string }
  | { due: true }
  /** Again, for what was writing while the document went. */
  | { traceOf: string }
)

export const eraseDocumentJob = (scope: BareScope, documentId: string): NewJob =>
  eraseJob({ scope: bare(scope), documentId })

export const eraseCollectionJob = (scope: BareScope, collectionId: string): NewJob =>
  eraseJob({ scope: bare(scope), collectionId })

export const eraseDueJob = (scope: BareScope): NewJob => eraseJob({ scope: bare(scope), due: true })

export const eraseTracesJob = (scope: BareScope, traceOf: string, runAt: number): NewJob => ({
  ...eraseJob({ scope: bare(scope), traceOf }),
  runAt,
})

const eraseJob = (payload: ErasePayload): NewJob => ({
  queue: eraseQueue,
  workspaceId: payload.scope.workspaceId,
  payload,
})

/** The narrowing of the key that asked has no part in it: what was hidden has to go. */
const bare = ({ workspaceId, environment }: BareScope): BareScope => ({ workspaceId, environment })
