/** Four areas that must not know of each other: two in one workspace, its sandbox, and a neighbour's. */

import { functionExample } from '../../features/agents/definitions/functions.ts'
import { startScriptedApp } from '../apps/scripted-source.ts'
import { signIn } from '../apps/signed-in.ts'
import { calls, says } from '../apps/tool-app.ts'
import { type ModelScript, startModelServer } from '../servers/model-server.ts'
import { startWebhookReceiver } from '../servers/webhook-receiver.ts'
import type { TestApp, TestKey } from '../test-app.ts'
import { type Area, type Furnishing, furnish, furnishPersonal } from './area.ts'

export type World = {
  app: TestApp
  /** Moves the clock on. */
  pass(ms: number): void
  /** Where something listens that takes whatever it is sent. */
  outside: string
  /** Of the first workspace: what is kept to a team, and what is there for all. */
  kept: Area
  open: Area
  /** The open one, with a conversation and runs that are a person's own. */
  personal: Area
  sandbox: Area
  neighbour: Area & { workspaceId: string; ownerId: string; key: TestKey }
  /** Makes one more area that is there for all. */
  furnishOpen(name: string): Promise<Area>
  close(): Promise<void>
}

export async function createWorld(): Promise<World> {
  const closings: (() => Promise<void>)[] = []
  const modelServer = await startModelServer(asksFirst)
  const receiver = await startWebhookReceiver()
  receiver.answer('/page', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('A page.'),
  )
  const scripted = await startScriptedApp(
    { after: close => closings.push(close) },
    { settings: settings(modelServer.baseUrl) },
  )
  const { app, source, pass } = scripted
  source.put('item', 'An item of the service.')
  const newMember = async (workspaceId: string): Promise<Pick<Furnishing, 'memberId' | 'memberKey'>> => {
    const memberKey = await app.createKey({ workspaceId, role: 'viewer' })
    return { memberKey, memberId: await memberIdOf(app, workspaceId, String(memberKey.caller.userId)) }
  }
  const common = { app, outside: receiver.origin, modelBaseUrl: modelServer.baseUrl, isKept: false }
  const member = await newMember(app.workspaceId)
  const kept = await furnish({ ...common, ...member, name: 'kept', key: app.liveKey, isKept: true })
  const { oauthClient } = kept.ids
  const other = await newMember(app.workspaceId)
  const furnishMore = async (name: string, people: Awaited<ReturnType<typeof newMember>>): Promise<Area> =>
    await furnish({ ...common, ...people, name, key: app.liveKey, shared: { oauthClient } })
  const open = await furnishMore('open', other)
  const talker = String((await app.createKey({ role: 'member' })).caller.userId)
  const personal = await furnishPersonal(app, open, await (await signIn(app, talker)).token())
  const userId = String(member.memberKey.caller.userId)
  const memberKey = await app.createKey({ userId, role: 'viewer', environment: 'test' })
  const inTest = { key: app.testKey, memberId: member.memberId, memberKey, shared: kept.ids }
  const sandbox = await furnish({ ...common, ...inTest, name: 'sandbox' })
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const abroad = await newMember(workspaceId)
  const neighbour = await furnish({ ...common, ...abroad, name: 'neighbour', key })
  return {
    app,
    pass,
    kept,
    open,
    personal,
    sandbox,
    outside: receiver.origin,
    neighbour: { ...neighbour, workspaceId, ownerId, key },
    furnishOpen: async name => furnishMore(name, await newMember(app.workspaceId)),
    async close() {
      await receiver.close()
      for (const close of closings) await close()
      await modelServer.close()
    },
  }
}

/** Everything that would answer for its own reason: no limit of requests, no network but loopback. */
const settings = (modelBaseUrl: string): Record<string, string> => ({
  ATRIUM_ANONYMOUS_RATE: '1000000',
  ATRIUM_PERSON_RATE: '1000000',
  ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=1000000,members=1000',
  ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32',
  OPENAI_BASE_URL: modelBaseUrl,
  ATRIUM_EMBEDDING_MODEL: 'openai/test-embedding',
})

/** Calls a tool that needs an approval, and a function, where the prompt wants that, as the sandbox's model does. */
const asksFirst: ModelScript = ({ messages }) => {
  const isAsked = messages.some(({ content }) => String(content).includes('sim:approval'))
  const isTold = messages.some(({ role }) => role === 'tool')
  if (!isAsked || isTold) return says('Done.')
  return calls(['calculator', { expression: '1+1' }], [functionExample.name, { number: 1 }])
}

export async function memberIdOf(app: TestApp, workspaceId: string, userId: string): Promise<string> {
  const { id } = await app.dependencies.database.read
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return id
}
