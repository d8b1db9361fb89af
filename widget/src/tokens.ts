/** Where the widget's browser tokens come from, unless the page gives them itself. */
import { Atrium, ConnectionError, type Token } from '@atrium/sdk'
import { isPassingStatus } from '@atrium/sdk/pause'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { keep, recall } from './storage.ts'

/** From the page's own server. */
export async function tokenFrom(url: string): Promise<Token> {
  const reply = await fetch(url, { method: 'POST', credentials: 'same-origin' }).catch(cause => {
    throw new ConnectionError(`${url} cannot be reached`, { cause })
  })
  if (!reply.ok) {
    const message = `${url} answered ${reply.status} instead of a token`
    throw isPassingStatus(reply.status) ? new ConnectionError(message) : new Error(message)
  }
  return reply.json()
}

export type PublicChat = { baseUrl: string; agentId: string; parentOrigin: string | null }

/** For an anonymous visitor, where the agent has a public chat; kept in this page's storage, they are the same next time. */
export async function visitorToken({ baseUrl, agentId, parentOrigin }: PublicChat): Promise<Token> {
  // A page that frames the chat must be let in itself.
  const name = `atrium-token ${agentId} ${parentOrigin ?? ''}`
  const kept = asked.has(name) ? null : keptToken(name)
  asked.add(name)
  if (kept !== null) return kept
  // No key is needed there; what is sent as one is not looked at.
  const open = new Atrium({ baseUrl, apiKey: async () => 'none' })
  const asking = { visitor: keptVisitor(agentId) ?? undefined, parentOrigin: parentOrigin ?? undefined }
  const { token, expiresAt, visitor } = await open.agents.publicChat.admit(agentId, withoutUndefined(asking))
  keep('sessionStorage', name, JSON.stringify({ token, expiresAt }))
  inMemory.set(agentId, visitor)
  keep('localStorage', visitorName(agentId), visitor)
  return { token, expiresAt }
}

/** A kept token is for the first time that a page asks: then it may have been refused. */
const asked = new Set<string>()
const shortestUseMs = 60_000

/** Of the page before: an address gets only so many. */
function keptToken(name: string): { token: string; expiresAt: string } | null {
  const [, token, expiresAt] =
    /^{"token":"(bt_[0-9A-Za-z]+)","expiresAt":"([^"]+)"}$/.exec(recall('sessionStorage', name) ?? '') ?? []
  if (token === undefined || expiresAt === undefined) return null
  return Date.parse(expiresAt) - Date.now() > shortestUseMs ? { token, expiresAt } : null
}

/** Where the browser allows no storage. */
const inMemory = new Map<string, string>()
const visitorName = (agentId: string): string => `atrium-visitor ${agentId}`

function keptVisitor(agentId: string): string | null {
  const kept = inMemory.get(agentId) ?? recall('localStorage', visitorName(agentId))
  return kept !== null && /^vs_[0-9A-Za-z]{43}$/.test(kept) ? kept : null
}
