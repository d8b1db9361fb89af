/** Seven steps with the client that @hey-api/openapi-ts makes of openapi.json. */
import { createClient } from './hey-api/client/index.js'
import { client } from './hey-api/client.gen.js'
import {
  createAgent,
  createWebhook,
  deleteAgent,
  deleteWebhook,
  getAgent,
  listAgents,
  listDocuments,
  listWebhooks,
  runAgent,
  searchKnowledge,
  uploadDocument,
} from './hey-api/sdk.gen.js'
import { absentId, api, check, door, must, tell, words } from './story.ts'

client.setConfig({ baseUrl: api, auth: door.key })
let agent = ''

await tell({
  '1 an agent is created': async () => {
    agent = must(await createAgent({ body: { name: 'Generated' } })).data.id
  },
  '2 the agent runs': async () => {
    const path = { id: agent }
    const run = must(await runAgent({ path, body: { prompt: `sim:output=${words}` } }))
    check(typeof run === 'object' && run.data.output === words, run)
  },
  '3 a file is uploaded': async () => {
    const file = new File(['Otters hold hands.'], 'otters.txt')
    const body = { file, collectionId: door.collectionId }
    const document = must(await uploadDocument({ body, headers: { Prefer: 'wait=30' } })).data
    check(document.status === 'ready', document)
  },
  '4 a search finds it': async () => {
    check(must(await searchKnowledge({ query: { query: 'otters' } })).data.length > 0, 'nothing was found')
  },
  '5 a list has pages': async () => {
    const pageOf = async (page: number) => must(await listDocuments({ query: { page, pageSize: 1 } }))
    const [first, second] = [await pageOf(1), await pageOf(2)]
    check(first.meta.page === 1 && second.meta.page === 2, [first.meta, second.meta])
    check(first.data[0]?.id !== second.data[0]?.id, 'the same document twice')
  },
  '6 errors are typed': async () => {
    const refused = await createAgent({ body: { name: '' } })
    check(refused.error?.errors[0]?.field === 'name', refused.error)
    const absent = await getAgent({ path: { id: absentId } })
    check(absent.error?.code === 'not_found', absent.error)
    const stranger = createClient({ baseUrl: api, auth: 'sk_test_bad' })
    const unknown = await listAgents({ client: stranger })
    check(unknown.error?.code === 'unauthenticated', unknown.error)
  },
  '7 a webhook is created, listed and deleted': async () => {
    const created = must(await createWebhook({ body: { url: 'https://example.com/hooks/hey-api' } })).data
    check(created.secret?.startsWith('whsec_') === true, 'no secret')
    const listed = must(await listWebhooks()).data
    check(
      listed.some(({ id }) => id === created.id),
      listed,
    )
    const deleted = await deleteWebhook({ path: { id: created.id } })
    check(deleted.response?.status === 204, deleted.error)
    const removed = await deleteAgent({ path: { id: agent } })
    check(removed.response?.status === 204, removed.error)
  },
})
