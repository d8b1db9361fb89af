/** Slack's connector over its peer, for tests. */
import type { TestContext } from 'node:test'
import { type SlackPeer, startSlackPeer } from '../../../server/src/testing/peers/slack.ts'
import { slack } from '../slack/connector.ts'
import type { Settings } from '../slack/settings.ts'
import { createMirror, openContext } from './run-source.ts'

export const dayMs = 86_400_000
export const noon = Date.parse('2026-03-10T12:00:00Z')

/** With a clock that the test moves; stops with the test. */
export async function startSlack(t: TestContext, config: Settings = {}) {
  const peer = await startSlackPeer(t)
  const clock = { ms: noon }
  peer.now = () => clock.ms
  const context = contextFor(peer, config)
  return { peer, clock, context, mirror: createMirror(slack, context) }
}

export const contextFor = (peer: SlackPeer, config: Settings) =>
  openContext(slack, {
    config,
    credentials: { kind: 'oauth2', accessToken: peer.token },
    peers: { 'https://slack.com': peer.origin },
    now: () => peer.now(),
  })
