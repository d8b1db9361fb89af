/** What a client of the kill loop knows of its documents: what the server has acknowledged, and what it was asked since. */
import { pdfOf } from '../knowledge/sample-files.ts'

/** What was sent last: its content, and a word that is in no other. */
export type Content = { word: string; bytes: Buffer; name: string }

export type State =
  | { kind: 'absent' }
  | { kind: 'present'; content: Content }
  | { kind: 'trashed'; content: Content }

/** One document, known by its external id. Only one request about it is in progress at a time. */
export type Entry = {
  externalId: string
  /** Acknowledged. */
  state: State
  /** What a request that was never answered may have made of it. */
  perhaps: State | null
  /** The server's id, once it told it. */
  id: string | null
  /** Words of contents that were replaced or erased: nothing is found by them. */
  formerWords: string[]
  isBusy: boolean
}

export type Book = {
  collectionId: string
  entries: Entry[]
  /** Returns an address from which the server can fetch the content. */
  serve(content: Content): string
}

export const createBook = (collectionId: string, size: number, serve: Book['serve']): Book => ({
  collectionId,
  serve,
  entries: Array.from({ length: size }, (_, index) => ({
    externalId: `document-${index}`,
    state: { kind: 'absent' },
    perhaps: null,
    id: null,
    formerWords: [],
    isBusy: false,
  })),
})

/** The server has answered, or has been asked after a restart: this is how it stands. */
export function settle(entry: Entry, state: State): void {
  const word = wordOf(state)
  for (const former of [entry.state, entry.perhaps]) {
    const formerWord = former === null ? null : wordOf(former)
    if (formerWord !== null && formerWord !== word) entry.formerWords.push(formerWord)
  }
  entry.state = state
  entry.perhaps = null
}

const wordOf = (state: State): string | null => (state.kind === 'absent' ? null : state.content.word)

let made = 0

/** Every way through the pipeline: one slice and several, read in the server's process and by a child. */
export function makeContent(random: () => number): Content {
  made += 1
  const word = `zebra${made}x${Math.floor(random() * 1e6)}`
  const kind = random()
  if (kind < 0.08) return { word, name: 'a.pdf', bytes: pdfOf(`A page about ${word}.`) }
  const paragraphs = kind < 0.4 ? 40 : kind < 0.5 ? 120 : 1
  const text = Array.from({ length: paragraphs }, (_, index) =>
    `${index === 0 ? word : 'More'} in paragraph ${index}. ${'Filling. '.repeat(90)}`.trimEnd(),
  )
  return { word, name: 'a.txt', bytes: Buffer.from(text.join('\n\n')) }
}
