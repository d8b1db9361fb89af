import type { Run } from '@atrium/sdk'

/** The words of a document that an answer rests on. */
export type Citation = Run['citations'][number]
