/**
 * The methods of Slack's Web API that the connector uses, the fields that it reads, and the meaning of errors, which
 * come with status 200.
 * https://docs.slack.dev/apis/web-api, …/reference/methods/conversations.list, .history, .replies, .info,
 * …/users.info, …/auth.test, …/search.messages, …/chat.postMessage; limits: …/apis/web-api/rate-limits
 */
import type { Context } from '../connector.ts'
import { parseJson, textOfReply } from '../gate/parse-json.ts'
import { HttpFailure, type HttpFailureKind, type HttpRequest } from '../http.ts'
import type { Settings } from './settings.ts'

export const origin = 'https://slack.com'

export type Conversation = {
  id: string
  name?: string
  is_private?: boolean
  is_member?: boolean
  is_archived?: boolean
  is_im?: boolean
  is_mpim?: boolean
}

export type Message = {
  ts: string
  text?: string
  subtype?: string
  user?: string
  bot_id?: string
  username?: string
  edited?: { ts: string }
  files?: { name?: string; title?: string }[]
  attachments?: { text?: string; fallback?: string; title?: string }[]
  thread_ts?: string
  reply_count?: number
  latest_reply?: string
}

type Query = NonNullable<HttpRequest['query']>

/** Calls a method that reads. */
export async function ask<T>({ http }: Context<Settings>, method: string, query: Query = {}): Promise<T> {
  return await http.json<T>(`${origin}/api/${method}`, { query, refusal: refusalOf })
}

/** Calls a method that changes something. */
export async function tell<T>({ http }: Context<Settings>, method: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return await http.json<T>(`${origin}/api/${method}`, {
    method: 'POST',
    headers,
    body,
    refusal: refusalOf,
  })
}

export type Cursored = { response_metadata?: { next_cursor?: string } }

/** Null on the last page, where the cursor is empty. */
export const nextCursor = ({ response_metadata: about }: Cursored): string | null =>
  about?.next_cursor || null

/** All pages of a list, up to `maxRows`. */
export async function askAll<T>(
  context: Context<Settings>,
  method: string,
  query: Query,
  { rowsOf, maxRows }: { rowsOf: (page: T & Cursored) => readonly unknown[]; maxRows: number },
): Promise<{ pages: T[]; isWhole: boolean }> {
  const pages: T[] = []
  let rows = 0
  for (let cursor: string | null = null; ; ) {
    const page: T & Cursored = await ask<T & Cursored>(context, method, {
      ...query,
      cursor: cursor ?? undefined,
    })
    pages.push(page)
    rows += rowsOf(page).length
    cursor = nextCursor(page)
    if (cursor === null) return { pages, isWhole: true }
    if (rows >= maxRows || pages.length >= maxPages) return { pages, isWhole: false }
  }
}

/** Some apps get 15 rows a page, even if they ask for more. */
const maxPages = 100

async function refusalOf(reply: Response): Promise<HttpFailure | null> {
  // A reply that is not JSON, or beyond the limits, fails later, where it is read.
  const text = await textOfReply(reply).catch(() => '')
  const answer = await answerIn(text)
  if (answer === null || answer.ok === true) return null
  const { error = 'no reason', needed } = answer
  const remedy = needed === undefined ? remedies[error] : `the scope ${needed} is needed: reconnect with it`
  return new HttpFailure(
    kindOf(error),
    `Slack refused: ${error}${remedy === undefined ? '' : `, ${remedy}`}`,
    {
      status: reply.status,
      body: text,
    },
  )
}

type Answer = { ok?: boolean; error?: string; needed?: string }

async function answerIn(text: string): Promise<Answer | null> {
  try {
    const value = await parseJson(text)
    return typeof value === 'object' ? (value as Answer | null) : null
  } catch {
    return null
  }
}

const kinds: Readonly<Record<string, HttpFailureKind>> = Object.fromEntries(
  (
    [
      ['not_authorized', 'not_authed invalid_auth account_inactive token_expired token_revoked'],
      ['forbidden', 'missing_scope no_permission access_denied ekm_access_denied not_in_channel'],
      ['forbidden', 'not_allowed_token_type restricted_action is_archived org_login_required'],
      ['missing', 'channel_not_found thread_not_found message_not_found user_not_found users_not_found'],
      ['missing', 'user_not_visible'],
      ['rate_limited', 'ratelimited rate_limited'],
      ['unavailable', 'internal_error fatal_error service_unavailable request_timeout team_added_to_org'],
    ] as const
  ).flatMap(([kind, errors]) => errors.split(' ').map(error => [error, kind])),
)

const remedies: Readonly<Record<string, string>> = {
  not_in_channel: 'the app has to be invited to the channel',
  not_allowed_token_type: 'this needs the token of a person, not of a bot',
}

const kindOf = (error: string): HttpFailureKind => kinds[error] ?? 'unexpected_reply'
