/** Somebody who is signed in, for tests that are about what comes after: a session in the database, and its cookie. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { InjectOptions } from 'fastify'
import type { Environment } from '../../platform/caller.ts'
import { dayMs } from '../../platform/clock.ts'
import type { TestApp, TestReply } from '../test-app.ts'

export type SignedIn = {
  userId: string
  sessionId: string
  cookie: string
  /** Sends a request as a page of this server does; `headers` may take the origin away again. */
  request(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string | undefined> },
  ): Promise<TestReply>
  /** A token for a workspace, the first one unless it is named. */
  token(options?: { workspaceId?: string; environment?: Environment }): Promise<string>
}

export async function signIn(app: TestApp, userId: string, lastsMs: number = dayMs): Promise<SignedIn> {
  const { database, clock } = app.dependencies
  const { sessions } = app.app.services
  const begun = await database.write(tx =>
    sessions.begin(tx, userId, { address: null, userAgent: undefined }),
  )
  const [cookie = ''] = begun.split(';')
  const { sessionId } = await sessions.require(cookie)
  await database.write(tx =>
    tx
      .updateTable('sessions')
      .set({ expires_at: clock() + lastsMs })
      .where('id', '=', sessionId)
      .execute(),
  )

  const request: SignedIn['request'] = (method, path, { body, headers = {} } = {}) =>
    fromPage(app, method, path, { body, headers: { cookie, ...headers } })

  return {
    userId,
    sessionId,
    cookie,
    request,
    async token({ workspaceId = app.workspaceId, environment = 'live' } = {}) {
      const reply = await request('POST', '/console/token', { body: { workspaceId, environment } })
      if (reply.status !== 200) throw new Error(`No token: ${JSON.stringify(reply.body)}`)
      return reply.body.data.token
    },
  }
}

/** What a page of this server asks, signed in or not. */
export async function fromPage(
  app: TestApp,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string | undefined> } = {},
): Promise<TestReply> {
  const reply = await app.app.server.inject(
    withoutUndefined<InjectOptions>({
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      headers: withoutUndefined<Record<string, string>>({
        origin: new URL(app.dependencies.publicUrl()).origin,
        ...headers,
      }),
      payload: body === undefined ? undefined : (body as object),
    }),
  )
  const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: reply.statusCode,
    headers: reply.headers,
    body: isJson && reply.payload !== '' ? JSON.parse(reply.payload) : null,
  }
}
