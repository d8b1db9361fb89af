/**
 * The OAuth endpoints outside the API: forms in, JSON out, as the OAuth standards say. They use no key and no cookie.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../gate.ts'
import { formOf } from './form.ts'

export type OAuthReply = {
  status: number
  body: object
  /** Whether the reply counts against the address that asked. */
  isFailure: boolean
}

type AppRequest = { requestId: string; address: string }
type FormEndpoint = (form: URLSearchParams, request: AppRequest) => Promise<OAuthReply>

/** The feature that knows apps hands these in. */
export type OAuthEndpoints = {
  /** The published documents, by path. */
  documents: Readonly<Record<string, () => object>>
  token: FormEndpoint
  revoke: FormEndpoint
  device: FormEndpoint
  register: (body: unknown, request: AppRequest) => Promise<OAuthReply>
}

const maxFormBytes = 20_000

export function registerOAuth(
  server: FastifyInstance,
  { gate, oauth }: { gate: Gate; oauth: OAuthEndpoints },
): void {
  const counted = (request: FastifyRequest, reply: FastifyReply) => gate.enterPublic(request, reply)
  // The assistants of many people share an address. So only requests that fail, or store something, count against it.
  const uncounted = (request: FastifyRequest, reply: FastifyReply) => gate.enterUnknown(request, reply)
  const config = { ignoresCookies: true }
  for (const [path, document] of Object.entries(oauth.documents)) {
    server.get(path, { onRequest: uncounted }, async (_request, reply) => sendJson(reply, 200, document()))
  }
  /** The person decides on a page of the console, which reads the same parameters. */
  server.get('/oauth/authorize', { onRequest: uncounted }, async (request, reply) => {
    const query = request.url.split('?')[1]
    return reply
      .code(303)
      .header('location', query === undefined ? '/authorize' : `/authorize?${query}`)
      .send()
  })
  server.post(
    '/oauth/register',
    { onRequest: counted, bodyLimit: maxFormBytes, config },
    async (request, reply) => send(reply, await oauth.register(request.body, requestOf(request))),
  )
  void server.register(async scoped => {
    scoped.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      async (_request: FastifyRequest, body: string) => formOf(body),
    )
    const answer =
      (endpoint: FormEndpoint) =>
      async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        // An empty body has no fields, and a JSON body is ignored here.
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
        const answered = await endpoint(form, requestOf(request))
        if (answered.isFailure) await gate.countFailure(request, reply)
        return send(reply, answered)
      }
    scoped.post('/oauth/token', { onRequest: uncounted, config }, answer(oauth.token))
    scoped.post('/oauth/revoke', { onRequest: uncounted, config }, answer(oauth.revoke))
    scoped.post('/oauth/device', { onRequest: counted, config }, answer(oauth.device))
  })
}

const requestOf = (request: FastifyRequest): AppRequest => ({ requestId: request.id, address: request.ip })

const send = (reply: FastifyReply, { status, body }: OAuthReply): FastifyReply =>
  sendJson(reply, status, body)

const sendJson = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(body)
