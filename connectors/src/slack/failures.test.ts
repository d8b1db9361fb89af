import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlPage, interruptTimes, tooManyRequests } from '../../../server/src/testing/peers/loopback-peer.ts'
import { openContext } from '../testing/run-source.ts'
import { dayMs, isFailure, noon, startSlack } from '../testing/start-slack.ts'
import { slack } from './connector.ts'

test('refusals with status 200 mean what they say: patience, another token, a scope, a channel', async t => {
  const { peer, context, mirror } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  peer.say('C012AB3CD', 'Hello', { atMs: noon - dayMs })
  const refused = (error: string, more = {}) => ({ json: { ok: false, error, ...more } })
  peer.interrupt = interruptTimes(1, tooManyRequests(30, { ok: false, error: 'ratelimited' }))
  assert.equal((await mirror.sync()).added, 1)
  assert.deepEqual(context.pauses, [30_000])
  peer.interrupt = interruptTimes(1, tooManyRequests(60))
  await assert.rejects(mirror.sync(), isFailure('rate_limited'))
  peer.interrupt = () => refused('token_revoked')
  await assert.rejects(mirror.sync(), isFailure('not_authorized'))
  peer.interrupt = () => refused('missing_scope', { needed: 'groups:read', provided: 'channels:read' })
  await assert.rejects(mirror.sync(), isFailure('forbidden', /scope groups:read is needed/))
  peer.interrupt = ({ path }) => (path.endsWith('.history') ? refused('not_in_channel') : null)
  await assert.rejects(mirror.sync(), isFailure('forbidden', /has to be invited/))
  peer.interrupt = interruptTimes(1, refused('internal_error'))
  assert.equal((await mirror.sync()).unchanged, 1)
  peer.interrupt = () => htmlPage
  await assert.rejects(mirror.sync(), isFailure('unexpected_reply'))
})

test('a token that expires on the way is renewed once, though the refusal has status 200', async t => {
  const { peer } = await startSlack(t)
  peer.add('C012AB3CD', 'general')
  let renewals = 0
  const context = openContext(slack, {
    config: {},
    credentials: { kind: 'oauth2', accessToken: 'xoxe-expired' },
    peers: { 'https://slack.com': peer.origin },
    renew: () => {
      renewals += 1
      return { kind: 'oauth2', accessToken: peer.token }
    },
  })
  await slack.check(context)
  assert.equal(renewals, 1)
})
