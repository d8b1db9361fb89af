/** Seven steps with the client that openapi-generator's `typescript-fetch` makes of openapi.json. */
import {
  AgentsApi,
  Configuration,
  KnowledgeApi,
  type ModelError,
  ResponseError,
  WebhooksApi,
} from './openapi-generator/index.js'
import { absentId, api, check, door, tell, words } from './story.ts'

const connect = (key: string) => new Configuration({ basePath: api, accessToken: key })

const configuration = connect(door.key)
const agents = new AgentsApi(configuration)
const knowledge = new KnowledgeApi(configuration)
const webhooks = new WebhooksApi(configuration)
let agent = ''

/** The error of a call that must fail. */
async function refusal(call: Promise<unknown>): Promise<ModelError> {
  const failed = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(failed instanceof ResponseError)) throw new Error(`No refusal: ${failed}`)
  return failed.response.json()
}

await tell({
  '1 an agent is created': async () => {
    agent = (await agents.createAgent({ agentInput: { name: 'Generated' } })).data.id
  },
  '2 the agent runs': async () => {
    const run = await agents.runAgent({ id: agent, runInput: { prompt: `sim:output=${words}` } })
    check(run.data.output === words, run)
  },
  '3 a file is uploaded': async () => {
    const { data } = await knowledge.uploadDocument({
      file: new File(['Otters hold hands.'], 'otters.txt'),
      collectionId: door.collectionId,
      metadata: { team: 'river' },
      prefer: 'wait=30',
    })
    check(data.status === 'ready' && data.metadata.team === 'river', data)
  },
  '4 a search finds it': async () => {
    check((await knowledge.searchKnowledge({ query: 'otters' })).data.length > 0, 'nothing was found')
  },
  '5 a list has pages': async () => {
    const [first, second] = [
      await knowledge.listDocuments({ page: 1, pageSize: 1 }),
      await knowledge.listDocuments({ page: 2, pageSize: 1 }),
    ]
    check(first.meta.page === 1 && second.meta.page === 2, [first.meta, second.meta])
    check(first.data[0]?.id !== second.data[0]?.id, 'the same document twice')
  },
  '6 errors are typed': async () => {
    const refused = await refusal(agents.createAgent({ agentInput: { name: '' } }))
    check(refused.errors[0]?.field === 'name', refused)
    const absent = await refusal(agents.getAgent({ id: absentId }))
    check(absent.code === 'not_found', absent)
    const unknown = await refusal(new AgentsApi(connect('sk_test_bad')).listAgents())
    check(unknown.code === 'unauthenticated', unknown)
  },
  '7 a webhook is created, listed and deleted': async () => {
    const url = 'https://example.com/hooks/openapi-generator'
    const created = (await webhooks.createWebhook({ webhookInput: { url } })).data
    check(created.secret?.startsWith('whsec_') === true, 'no secret')
    const listed = (await webhooks.listWebhooks()).data
    check(
      listed.some(({ id }) => id === created.id),
      listed,
    )
    const deleted = await webhooks.deleteWebhookRaw({ id: created.id })
    check(deleted.raw.status === 204, deleted.raw.status)
    const removed = await agents.deleteAgentRaw({ id: agent })
    check(removed.raw.status === 204, removed.raw.status)
  },
})
