/** What the console asks beside the API: who is signed in, a token for a workspace, new workspaces. The session's cookie opens it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { idPattern } from '../../platform/ids.ts'
import type { TSchema } from '../../platform/json-schema/type.ts'
import type { Gate } from '../gate.ts'
import { validation } from '../validation.ts'

/** Somebody who is signed in, and the request by which they ask. */
type Visitor = { sessionId: string; userId: string; requestId: string; address: string }

/** Handed in by the features that know people and their workspaces; what they answer is sent as `data`. */
export type ConsoleDoor = {
  findSession(cookieHeader: string | undefined): Promise<{ sessionId: string; userId: string } | null>
  /** What the page of signing in has to know. */
  entrance(): Promise<object>
  show(visitor: Pick<Visitor, 'userId'>): Promise<object>
  issueToken: { body: TSchema; handle(visitor: Visitor, body: never): Promise<object> }
  createWorkspace: { body: TSchema; handle(visitor: Visitor, body: never): Promise<object> }
  restoreWorkspace(visitor: Visitor, workspaceId: string): Promise<object>
}

const maxBodyBytes = 10_000

export function registerConsoleDoor(
  server: FastifyInstance,
  { gate, door }: { gate: Gate; door: ConsoleDoor },
): void {
  const visitors = new WeakMap<FastifyRequest, Visitor>()

  /** Who is signed in counts for themselves, everybody else by their address. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const session = await door.findSession(request.headers.cookie)
    if (session === null) return gate.enterPublic(request, reply)
    await gate.enterPerson(request, reply, session.userId)
    const { sessionId, userId } = session
    visitors.set(request, { sessionId, userId, requestId: request.id, address: request.ip })
  }
  const visitorOf = (request: FastifyRequest): Visitor => {
    const visitor = visitors.get(request)
    if (visitor === undefined) throw new ServiceError('sign_in_required')
    return visitor
  }

  server.get('/console/session', { onRequest: admit }, async request => {
    const visitor = visitors.get(request)
    const shown = visitor === undefined ? { person: null, workspaces: [] } : await door.show(visitor)
    return { data: { ...(await door.entrance()), ...shown } }
  })

  // After the guard of the origin: what another site asks for learns nothing of who is signed in.
  const checkSignedIn = async (request: FastifyRequest): Promise<void> => {
    visitorOf(request)
  }
  const options = { onRequest: admit, preParsing: checkSignedIn, bodyLimit: maxBodyBytes }
  const post = (
    path: string,
    status: number,
    { body, handle }: ConsoleDoor['issueToken' | 'createWorkspace'],
  ): void => {
    const check = validation.body(body)
    server.post(path, options, async (request, reply) => {
      const sent = request.body ?? {}
      check(sent)
      // What the schema has just checked.
      return reply.code(status).send({ data: await handle(visitorOf(request), sent as never) })
    })
  }
  post('/console/token', 200, door.issueToken)
  post('/console/workspaces', 201, door.createWorkspace)

  server.post('/console/workspaces/:id/restore', options, async request => {
    const { id } = request.params as { id: string }
    if (!idPattern.test(id)) throw notFound()
    return { data: await door.restoreWorkspace(visitorOf(request), id) }
  })
}
