/** What a connection of the sandbox holds: always the same three documents. Nothing outside is called. */
import type { Context, Source } from '@atrium/connectors'

const documents = [
  {
    id: 'sandbox/welcome',
    title: 'Welcome to the sandbox',
    text: 'This document stands for a page of the service. A test key never calls the service itself.',
  },
  {
    id: 'sandbox/leave-policy',
    title: 'Leave policy (simulated)',
    text: 'Everybody has 28 days of paid leave. Requests go to the team lead two weeks ahead.',
  },
  {
    id: 'sandbox/printer',
    title: 'The printer on the second floor (simulated)',
    text: 'It jams when the paper is damp. Take out tray two, and print again.',
  },
] as const

const writtenAt = '2026-01-15T09:00:00.000Z'

export const sandboxSource: Source = {
  removals: 'absence',
  list: async () => ({
    items: documents.map(({ id, title }) => ({ id, title, version: '1' })),
    nextPage: null,
    since: writtenAt,
  }),
  fetch: async (_context, { id }) => {
    const document = documents.find(known => known.id === id)
    if (document === undefined) return null
    const { title, text } = document
    return {
      body: `# ${title}\n\n${text}\n`,
      fileName: `${id.slice('sandbox/'.length)}.md`,
      mediaType: 'text/markdown',
      metadata: { url: `https://sandbox.example/${id}`, updatedAt: writtenAt, readers: ['everyone'] },
    }
  },
}

/** A context for the sandbox, which calls nothing outside. */
export const sandboxContext = (signal: AbortSignal, now: () => number): Context => {
  const closed = async (): Promise<never> => {
    throw new Error('The sandbox calls nothing outside')
  }
  return {
    config: {},
    http: { send: closed, json: closed, text: closed, bytes: closed, page: closed },
    signal,
    now,
    log: () => undefined,
  }
}
