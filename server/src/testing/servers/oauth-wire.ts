/** How the authorization server on loopback reads requests and writes replies. */
import type { IncomingMessage, ServerResponse } from 'node:http'

type Client = { id: string; secret: string }

export const bearerIn = (authorization: string | undefined): string =>
  /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''

/** Where JSON is wanted, a form is an empty request. */
export function formIn(wantsJson: boolean, request: IncomingMessage, body: string): URLSearchParams {
  const isJson = request.headers['content-type']?.startsWith('application/json') === true
  if (isJson !== wantsJson) return new URLSearchParams()
  return new URLSearchParams(isJson ? (JSON.parse(body) as Record<string, string>) : body)
}

export function isClient(
  { client }: { client: Client },
  request: IncomingMessage,
  form: URLSearchParams,
): boolean {
  const { id, secret } = client
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  if (request.headers.authorization !== undefined) return request.headers.authorization === basic
  return form.get('client_id') === id && form.get('client_secret') === secret
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
