/** GitHub's connector over its peer, for tests. */
import type { TestContext } from 'node:test'
import { type GitHubPeer, startGitHubPeer } from '../../../server/src/testing/peers/github.ts'
import { github } from '../github/connector.ts'
import type { Settings } from '../github/settings.ts'
import { createMirror, openContext } from './run-source.ts'

/** Stops with the test. */
export async function startGitHub(t: TestContext, config: Settings = {}) {
  const peer = await startGitHubPeer(t)
  const context = contextFor(peer, config)
  return { peer, context, mirror: createMirror(github, context) }
}

export const contextFor = (peer: GitHubPeer, config: Settings) =>
  openContext(github, {
    config,
    credentials: { kind: 'api_key', apiKey: peer.token },
    peers: { 'https://api.github.com': peer.origin },
  })
