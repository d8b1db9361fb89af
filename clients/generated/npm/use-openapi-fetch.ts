/** Seven steps with openapi-fetch on the types that openapi-typescript makes of openapi.json. */
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript.js'
import { absentId, api, check, door, must, tell, words } from './story.ts'

/** A run also answers as a stream, so the media type of replies is said. */
const connect = (key: string) =>
  createClient<paths, 'application/json'>({ baseUrl: api, headers: { authorization: `Bearer ${key}` } })

const client = connect(door.key)
let agent = ''

await tell({
  '1 an agent is created': async () => {
    agent = must(await client.POST('/agents', { body: { name: 'Generated' } })).data.id
  },
  '2 the agent runs': async () => {
    const params = { path: { id: agent } }
    const body = { prompt: `sim:output=${words}` }
    const run = must(await client.POST('/agents/{id}/run', { params, body }))
    check(run.data.output === words, run)
  },
  '3 a file is uploaded': async () => {
    const reply = await client.POST('/knowledge/documents', {
      params: { header: { Prefer: 'wait=30' } },
      body: { file: 'Otters hold hands.', collectionId: door.collectionId },
      bodySerializer: ({ file, collectionId }) => {
        const form = new FormData()
        form.set('file', new File([file], 'otters.txt'))
        form.set('collectionId', collectionId)
        return form
      },
    })
    const document = must(reply).data
    check(document.status === 'ready', document)
  },
  '4 a search finds it': async () => {
    const params = { query: { query: 'otters' } }
    check(must(await client.GET('/knowledge/search', { params })).data.length > 0, 'nothing was found')
  },
  '5 a list has pages': async () => {
    const pageOf = async (page: number) =>
      must(await client.GET('/knowledge/documents', { params: { query: { page, pageSize: 1 } } }))
    const [first, second] = [await pageOf(1), await pageOf(2)]
    check(first.meta.page === 1 && second.meta.page === 2, [first.meta, second.meta])
    check(first.data[0]?.id !== second.data[0]?.id, 'the same document twice')
  },
  '6 errors are typed': async () => {
    const refused = await client.POST('/agents', { body: { name: '' } })
    check(refused.error?.errors[0]?.field === 'name', refused.error)
    const absent = await client.GET('/agents/{id}', { params: { path: { id: absentId } } })
    check(absent.error?.code === 'not_found', absent.error)
    const unknown = await connect('sk_test_bad').GET('/agents')
    check(unknown.error?.code === 'unauthenticated', unknown.error)
  },
  '7 a webhook is created, listed and deleted': async () => {
    const body = { url: 'https://example.com/hooks/openapi-fetch' }
    const created = must(await client.POST('/webhooks', { body })).data
    check(created.secret?.startsWith('whsec_') === true, 'no secret')
    const listed = must(await client.GET('/webhooks')).data
    check(
      listed.some(({ id }) => id === created.id),
      listed,
    )
    const deleted = await client.DELETE('/webhooks/{id}', { params: { path: { id: created.id } } })
    check(deleted.response.status === 204, deleted.error)
    const removed = await client.DELETE('/agents/{id}', { params: { path: { id: agent } } })
    check(removed.response.status === 204, removed.error)
  },
})
