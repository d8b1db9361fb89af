/** A connection to the Notion peer: what it holds, and a mirror of what is synced from it. */
import type { TestContext as Test } from 'node:test'
import { type NotionPeer, startNotionPeer } from '../../../server/src/testing/peers/notion.ts'
import { notion } from '../notion/connector.ts'
import type { NotionConfig } from '../notion/settings.ts'
import { createMirror, type Mirror, openContext, type TestContext, titlesOf } from './run-source.ts'

export type NotionConnection = {
  peer: NotionPeer
  notion: NotionPeer['notion']
  mirror: Mirror
  context: TestContext<NotionConfig>
  /** Titles of what is synced, sorted. */
  titles(): string[]
  /** Moves both clocks on. */
  pass(ms: number): void
}

/** `choose` fills the workspace, and answers the databases to sync: none for everything. */
export async function connectNotion(
  t: Test,
  choose: (store: NotionPeer['notion']) => string[] = () => [],
): Promise<NotionConnection> {
  let nowMs = Date.UTC(2026, 1, 1)
  const peer = await startNotionPeer(t, () => nowMs)
  const context = openContext(notion, {
    config: { databaseIds: choose(peer.notion) },
    credentials: { kind: 'api_key', apiKey: peer.token },
    peers: { 'https://api.notion.com': peer.origin },
    now: () => nowMs,
  })
  const mirror = createMirror(notion, context)
  return {
    peer,
    notion: peer.notion,
    mirror,
    context,
    titles: () => titlesOf(mirror),
    pass: ms => {
      nowMs += ms
    },
  }
}
