/** What services do otherwise than OAuth 2 has it, made the way of the standard: requests before they leave, replies as they come. */
import type { OAuth as OAuthTerms } from '@atrium/connectors'
import type { SafeRequest } from '../../../platform/fetch/requests.ts'

type Quirks = OAuthTerms['quirks']

/** A form as the JSON that some services want instead. */
export function asWanted(request: SafeRequest, quirks: Quirks): SafeRequest {
  const { body } = request
  if (quirks.tokenRequestIsJson !== true || !(body instanceof URLSearchParams || typeof body === 'string')) {
    return request
  }
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  return { ...request, headers, body: JSON.stringify(Object.fromEntries(new URLSearchParams(body))) }
}

/**
 * The response with its body read: what openid-client does not look at would hold the connection open. An error that came
 * with status 200 gets the status that the standard gives it, and tokens move to the top.
 */
export async function asStandardReply(response: Response, quirks: Quirks): Promise<Response> {
  const text = await response.text()
  const { status, headers } = response
  if (text === '') return new Response(null, { status, headers })
  const reply = objectIn(text)
  if (reply === null) return new Response(text, { status, headers })
  if (quirks.errorsHaveStatus200 === true && status === 200 && 'error' in reply) {
    return new Response(text, { status: 400, headers })
  }
  const { tokensWithin } = quirks
  if (tokensWithin === undefined) return new Response(text, { status, headers })
  // A refresh is answered at the top. Slack calls the type of a person's token `user`; it is used as a bearer token.
  const tokens = [reply[tokensWithin], reply].find(part => isObject(part) && 'access_token' in part)
  if (!isObject(tokens)) return new Response(text, { status, headers })
  return new Response(JSON.stringify({ ...tokens, token_type: 'bearer' }), { status, headers })
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    // Not JSON: what that means is for the token exchange to say.
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
