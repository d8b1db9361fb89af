/**
 * The few pages for browsers outside the API: an invitation, the end of an authorization. They need no key, so they
 * count by address.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from '../../platform/text/html.ts'
import type { Gate } from '../gate.ts'
import { formOf } from './form.ts'

type Visitor = {
  requestId: string
  address: string
  cookie: string | undefined
  userAgent: string | undefined
}

/** The feature that knows invitations hands these in. */
type InvitationPages = {
  show(token: string, visitor: Visitor): Promise<Page>
  answer(token: string, form: Record<string, string>, visitor: Visitor): Promise<Page>
}

/** The feature that connects services hands these in. */
type IntegrationPages = {
  /** `query` is what a service appended to the callback's address. */
  handleCallback(query: URLSearchParams, cookie: string | undefined): Promise<Page>
  /** The document about this server, for services that read client metadata. */
  clientMetadata(): object
  connectPages: {
    show(token: string): Promise<Page>
    answer(token: string, form: Record<string, string>, cookie: string | undefined): Promise<Page>
  }
}

const maxFormBytes = 10_000

export function registerPages(
  server: FastifyInstance,
  pages: {
    gate: Gate
    invitations: InvitationPages
    integrations: IntegrationPages
  },
): void {
  const { gate, invitations, integrations } = pages
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => gate.enterPublic(request, reply)
  const tokenOf = (request: FastifyRequest): string => (request.params as { token: string }).token
  server.get('/oauth/callback', { onRequest }, async (request, reply) =>
    sendPage(
      reply,
      await integrations.handleCallback(
        new URLSearchParams(request.url.split('?')[1]),
        request.headers.cookie,
      ),
    ),
  )
  server.get('/oauth/client.json', { onRequest }, async (_request, reply) =>
    reply.header('content-type', 'application/json').send(integrations.clientMetadata()),
  )
  void server.register(async scoped => {
    scoped.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      async (_request: FastifyRequest, body: string) => Object.fromEntries(formOf(body)),
    )
    scoped.get('/invitations/:token', { onRequest }, async (request, reply) =>
      sendPage(reply, await invitations.show(tokenOf(request), visitorOf(request))),
    )
    const answersPrograms = { onRequest, config: { answersPrograms: true } }
    scoped.post('/invitations/:token', answersPrograms, async (request, reply) => {
      const form = (request.body ?? {}) as Record<string, string>
      return sendPage(reply, await invitations.answer(tokenOf(request), form, visitorOf(request)))
    })
    scoped.get('/connect/:token', { onRequest }, async (request, reply) =>
      sendPage(reply, await integrations.connectPages.show(tokenOf(request))),
    )
    scoped.post('/connect/:token', { onRequest }, async (request, reply) => {
      const form = (request.body ?? {}) as Record<string, string>
      return sendPage(
        reply,
        await integrations.connectPages.answer(tokenOf(request), form, request.headers.cookie),
      )
    })
  })
}

const visitorOf = (request: FastifyRequest): Visitor => ({
  requestId: request.id,
  address: request.ip,
  cookie: request.headers.cookie,
  userAgent: request.headers['user-agent'],
})

const sendPage = (reply: FastifyReply, { status, headers, body }: Page): FastifyReply =>
  reply.code(status).headers(headers).send(body)
