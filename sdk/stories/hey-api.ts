/**
 * What a program does with a client of `@hey-api/openapi-ts`. `src/generated-clients.sqlite.test.ts` puts it beside the client that
 * it generates, compiles it strictly, and runs it.
 */
import { client } from './api/client.gen.ts'
import {
  createAgent,
  createCollection,
  getDocument,
  listRuns,
  runAgent,
  searchKnowledge,
  streamRun,
  uploadDocument,
  uploadDocumentFromText,
} from './api/sdk.gen.ts'
import type { RunStep } from './api/types.gen.ts'

const { ATRIUM: baseUrl = '', KEY: key = '' } = process.env
client.setConfig({ baseUrl, auth: key })
const throwOnError = true

const { data: collection } = (await createCollection({ body: { name: 'Hey' }, throwOnError })).data
const text = 'Every full-time employee has 27 days of paid annual leave a year.'
const upload = {
  body: { collectionId: collection.id, externalId: 'wiki/leave', text, metadata: { year: 2026 } },
}
const { data: document } = (await uploadDocumentFromText({ ...upload, throwOnError })).data
const file = new File(['Otters hold hands.'], 'otters.txt')
const { data: sent } = (await uploadDocument({ body: { collectionId: collection.id, file }, throwOnError }))
  .data
const path = { id: document.id }
const ready = (await getDocument({ path, headers: { Prefer: 'wait=30' }, throwOnError })).data
const query = { query: 'annual leave', collectionId: [collection.id] }
const found = (await searchKnowledge({ query, throwOnError })).data
const { data: agent } = (
  await createAgent({ body: { name: 'Hey', collectionIds: [collection.id] }, throwOnError })
).data
const ofAgent = { path: { id: agent.id } }
const prompt = 'How many days of annual leave are there?'
const { data: run } = (await runAgent({ ...ofAgent, body: { prompt }, throwOnError })).data
const runs = (await listRuns({ ...ofAgent, throwOnError })).data
const types: string[] = []
const { stream } = await streamRun({ path: { id: run.id } })
// Nothing comes of a run that is over once its last event has been read.
for await (const event of stream) if (event !== undefined) types.push(event.type)
const { error } = await uploadDocumentFromText(upload)

console.log(
  JSON.stringify({
    status: ready.data.status,
    found: found.data.map(hit => hit.documentId),
    output: run.output,
    tools: run.steps.map(toolOf),
    runs: runs.data.map(({ id }) => id),
    total: runs.meta.total,
    lastEvent: types.at(-1),
    file: sent.name,
    duplicateOf: error?.code === 'already_exists' ? error.details.id : null,
    documentId: document.id,
    runId: run.id,
  }),
)

function toolOf(step: RunStep): string | null {
  return step.type === 'tool' ? (step.toolCallId ?? null) : null
}
