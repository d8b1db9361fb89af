/** What the lane's clients meet: a server process of this tree, its sandbox, and a live workspace with a scripted model. */
import { setTimeout as sleep } from 'node:timers/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { createInstallation, type Installation } from '../../../server/src/testing/operator.ts'
import { type ModelServer, startModelServer } from '../../../server/src/testing/servers/model-server.ts'
import { script } from './model.ts'

/** A way in: which key, and what answers. */
export type Door = {
  key: string
  /** For `model` at `/v1`: the built-in sandbox model, or an agent of the scripted model. */
  model: string
  agentId: string
  /** Holds one document, on annual leave. */
  collectionId: string
}

export type Tried = {
  origin: string
  sandbox: Door
  live: Door
  // biome-ignore lint/suspicious/noExplicitAny: a case reads whatever it expects there, and fails where it is not.
  request(key: string, method: string, path: string, body?: unknown): Promise<any>
  close(): Promise<void>
}

export async function startTried(): Promise<Tried> {
  const cleanups: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
  try {
    const modelServer = await startModelServer(script)
    cleanups.push(() => modelServer.close())
    const installation = await install(modelServer, work => void cleanups.push(work))
    const { origin } = await installation.startServer()
    const request: Tried['request'] = (key, method, path, body) => ask(origin, key, method, path, body)
    const keys = { test: await createKey(installation, 'test'), live: await createKey(installation, 'live') }
    const sandbox = await openDoor(request, keys.test, 'sandbox')
    const live = await openDoor(request, keys.live, 'openai/test-model')
    return { origin, sandbox: { ...sandbox, model: 'sandbox' }, live, request, close }
  } catch (error) {
    await close()
    throw error
  }
}

function install(
  modelServer: ModelServer,
  after: (work: () => Promise<void>) => void,
): Promise<Installation> {
  return createInstallation(
    { after },
    {
      engine: 'sqlite',
      environment: {
        OPENAI_API_KEY: 'unused-key',
        OPENAI_BASE_URL: modelServer.baseUrl,
        ATRIUM_EMBEDDING_MODEL: 'openai/test-embedding',
        // Servers of the lane are on loopback.
        ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8',
      },
    },
  )
}

/** In the first workspace, which has the largest plan, with every permission. */
export async function createKey(installation: Installation, environment: 'test' | 'live'): Promise<string> {
  const [workspace] = await installation.atriumJson('workspace list')
  const { key } = await installation.atriumJson([
    ...['key', 'create', '--workspace', workspace.slug],
    ...['--env', environment, '--name', 'lane', '--permissions', 'all'],
  ])
  return key
}

async function openDoor(request: Tried['request'], key: string, model: string): Promise<Door> {
  const { id: collectionId } = await request(key, 'POST', '/knowledge/collections', { name: 'Handbook' })
  const { id: documentId } = await request(key, 'POST', '/knowledge/documents', {
    collectionId,
    name: 'leave.md',
    text: '# Annual leave\n\nFull-time employees have 27 days of paid annual leave.',
  })
  await ready(request, key, documentId)
  const agent = await request(key, 'POST', '/agents', { name: 'Lane', model, tools: [] })
  return { key, model: agent.id, agentId: agent.id, collectionId }
}

async function ready(request: Tried['request'], key: string, documentId: string): Promise<void> {
  for (let left = 300; left > 0; left--) {
    const { status } = await request(key, 'GET', `/knowledge/documents/${documentId}`)
    if (status === 'ready') return
    await sleep(100)
  }
  throw new Error(`Document ${documentId} is not ready after 30 seconds`)
}

async function ask(origin: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: withoutUndefined<Record<string, string>>({
      authorization: `Bearer ${key}`,
      'content-type': body === undefined ? undefined : 'application/json',
    }),
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text).data
}
