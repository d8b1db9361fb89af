/** A person at a browser, for tests: keeps cookies, and says where its requests come from. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { InjectOptions } from 'fastify'
import type { TestApp, TestReply } from './test-app.ts'

export type TestBrowser = {
  get(path: string, headers?: Record<string, string>): Promise<TestReply & { text: string }>
  post(path: string, body: object, headers?: Record<string, string>): Promise<TestReply & { text: string }>
  /** Sends a page's form. */
  submit(path: string, form: Record<string, string>): Promise<TestReply & { text: string }>
  /** The `Cookie` header of its next request. */
  cookies(): string
  /** Every `Set-Cookie` header that it has got. */
  received: string[]
}

export const testPassword = 'correct horse battery staple'

export function openBrowser(app: TestApp, options: { address?: string } = {}): TestBrowser {
  const jar = new Map<string, string>()
  const received: string[] = []
  const send = async (
    method: 'GET' | 'POST',
    path: string,
    sent: { payload?: object | string; headers: Record<string, string> },
  ) => {
    const reply = await app.app.server.inject(
      withoutUndefined<InjectOptions>({
        method,
        url: path,
        remoteAddress: options.address ?? '127.0.0.1',
        headers: withoutUndefined<Record<string, string>>({
          'user-agent': 'Test browser',
          cookie: jar.size === 0 ? undefined : cookies(),
          origin: method === 'GET' ? undefined : app.dependencies.publicUrl(),
          ...sent.headers,
        }),
        payload: sent.payload,
      }),
    )
    for (const cookie of [reply.headers['set-cookie'] ?? []].flat()) keep(cookie)
    const isJson = String(reply.headers['content-type']).startsWith('application/json')
    const body = isJson && reply.payload !== '' ? JSON.parse(reply.payload) : null
    return { status: reply.statusCode, headers: reply.headers, body, text: reply.payload }
  }
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keep = (cookie: string): void => {
    received.push(cookie)
    const [pair = ''] = cookie.split(';')
    const at = pair.indexOf('=')
    if (/;\s*max-age=0\b/i.test(cookie)) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
  return {
    cookies,
    received,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers = {}) => send('POST', path, { payload: body, headers }),
    submit: (path, form) =>
      send('POST', path, {
        payload: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  }
}

/** A person with a password, in no workspace. */
export async function addPerson(
  { app, dependencies }: TestApp,
  person: { email: string; name?: string; emailVerified?: boolean; password?: string },
): Promise<{ id: string; email: string }> {
  const { email, name = 'Ada Lovelace', emailVerified = true, password = testPassword } = person
  const { accounts, identity } = app.services
  const hash = await accounts.prepare(password, email)
  return dependencies.database.write(async tx => {
    const made = await identity.create(tx, { email, name, emailVerified })
    await accounts.give(tx, made.id, hash)
    return { id: made.id, email }
  })
}

export const signIn = (browser: TestBrowser, email: string, password = testPassword) =>
  browser.post('/auth/sign-in/email', { email, password })
