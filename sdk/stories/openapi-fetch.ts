/**
 * What a program does with a client of `openapi-typescript` and `openapi-fetch`. `src/generated-clients.sqlite.test.ts` puts it
 * beside the types that it generates, compiles it strictly, and runs it.
 */
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'

const { ATRIUM: baseUrl = '', KEY: key = '' } = process.env
// A run also answers as a stream of events; this program reads JSON alone.
const client = createClient<paths, 'application/json'>({
  baseUrl,
  headers: { authorization: `Bearer ${key}` },
})

const { data: collection } = await of(client.POST('/knowledge/collections', { body: { name: 'Fetched' } }))
const leave = 'Every full-time employee has 27 days of paid annual leave a year.'
const upload = () =>
  client.POST('/knowledge/documents/from-text', {
    body: { collectionId: collection.id, externalId: 'wiki/leave', text: leave, metadata: { year: 2026 } },
  })
const { data: document } = await of(upload())
const file = new Blob(['Otters hold hands.'])
const { data: sent } = await of(
  client.POST('/knowledge/documents', {
    // The types have a file as a string; what is sent is the form.
    body: { collectionId: collection.id, file: 'otters.txt' },
    bodySerializer({ collectionId }) {
      const form = new FormData()
      form.append('collectionId', collectionId)
      form.append('file', file, 'otters.txt')
      return form
    },
  }),
)
const path = { id: document.id }
const ready = await of(
  client.GET('/knowledge/documents/{id}', { params: { path, header: { Prefer: 'wait=30' } } }),
)
const found = await of(
  client.GET('/knowledge/search', {
    params: { query: { query: 'annual leave', collectionId: [collection.id] } },
  }),
)
const { data: agent } = await of(
  client.POST('/agents', { body: { name: 'Fetched', collectionIds: [collection.id] } }),
)
const { data: run } = await of(
  client.POST('/agents/{id}/run', {
    params: { path: { id: agent.id } },
    body: { prompt: 'How many days of annual leave are there?' },
  }),
)
const runs = await of(client.GET('/agents/{id}/runs', { params: { path: { id: agent.id } } }))
const { error } = await upload()

console.log(
  JSON.stringify({
    status: ready.data.status,
    found: found.data.map(hit => hit.documentId),
    output: run.output,
    tools: run.steps.map(toolOf),
    runs: runs.data.map(({ id }) => id),
    total: runs.meta.total,
    file: sent.name,
    duplicateOf: error?.code === 'already_exists' ? error.details.id : null,
    documentId: document.id,
    runId: run.id,
  }),
)

function toolOf(step: components['schemas']['RunStep']): string | null {
  return step.type === 'tool' ? (step.toolCallId ?? null) : null
}

async function of<Data>(
  call: Promise<{ data?: Data; error?: { message: string } }>,
): Promise<NonNullable<Data>> {
  const { data, error: refusal } = await call
  if (data === undefined || data === null) throw new Error(refusal?.message ?? 'No data')
  return data
}
