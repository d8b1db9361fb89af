/** Where the widget's browser tokens come from, unless the page gives them itself. */
import { Atrium, type Token } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'

/** From the page's own server. */
export async function tokenFrom(url: string): Promise<Token> {
  const reply = await fetch(url, { method: 'POST', credentials: 'same-origin' })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status} instead of a token`)
  return reply.json()
}

export type PublicChat = { baseUrl: string; agentId: string; parentOrigin: string | null }

/** For an anonymous visitor, where the agent has a public chat; kept in this page's storage, they are the same next time. */
export async function visitorToken({ baseUrl, agentId, parentOrigin }: PublicChat): Promise<Token> {
  // No key is needed there; what is sent as one is not looked at.
  const open = new Atrium({ baseUrl, apiKey: async () => 'none' })
  const asking = { visitor: keptVisitor(agentId) ?? undefined, parentOrigin: parentOrigin ?? undefined }
  const { token, expiresAt, visitor } = await open.agents.publicChat.admit(agentId, withoutUndefined(asking))
  keepVisitor(agentId, visitor)
  return { token, expiresAt }
}

/** Where the browser allows no storage. */
const inMemory = new Map<string, string>()
const nameOf = (agentId: string): string => `atrium-visitor ${agentId}`

function keptVisitor(agentId: string): string | null {
  const kept = inMemory.get(agentId) ?? stored(agentId)
  return kept !== null && /^vs_[0-9A-Za-z]{43}$/.test(kept) ? kept : null
}

function stored(agentId: string): string | null {
  try {
    return localStorage.getItem(nameOf(agentId))
  } catch {
    // Forbidden here: the visitor is another one after a reload.
    return null
  }
}

function keepVisitor(agentId: string, visitor: string): void {
  inMemory.set(agentId, visitor)
  try {
    localStorage.setItem(nameOf(agentId), visitor)
  } catch {
    // As above.
  }
}
