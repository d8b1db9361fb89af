import assert from 'node:assert/strict'
import { test } from 'node:test'
import { primaryLimit, problem, secondaryLimit } from '../../../server/src/testing/peers/github-payloads.ts'
import { htmlPage, interruptTimes, outOfOrder } from '../../../server/src/testing/peers/loopback-peer.ts'
import { HttpFailure } from '../http.ts'
import { listSource } from '../testing/run-source.ts'
import { contextFor, startGitHub } from '../testing/start-github.ts'
import { github } from './connector.ts'

test('a repository that is gone takes its documents with it; one that config names makes the sync fail instead', async t => {
  const { peer, mirror } = await startGitHub(t)
  peer.add('octocat/Hello-World').open({ title: 'One' })
  peer.add('octocat/Other').open({ title: 'Two' })
  await mirror.sync()
  peer.repositories.pop()
  assert.equal((await mirror.sync()).deleted, 1)
  const named = contextFor(peer, { repositories: ['octocat/hello-world', 'octocat/Other'] })
  await assert.rejects(listSource(github, named), /octocat\/Other does not exist.*config/)
})

test('a repository that an organisation closes to the token is left out, unless config names it', async t => {
  const { peer, context, mirror } = await startGitHub(t)
  peer.add('octo-org/closed').open({ title: 'One' })
  peer.add('octocat/Hello-World').open({ title: 'Two' })
  const closed = problem(403, 'Resource protected by organization SAML enforcement.')
  peer.interrupt = ({ path }) => (path === '/repos/octo-org/closed' ? closed : null)
  assert.equal((await mirror.sync()).added, 1)
  assert.deepEqual(context.messages, ['A repository is left out'])
  const named = contextFor(peer, { repositories: ['octo-org/closed'] })
  await assert.rejects(listSource(github, named), /closed does not exist, or .* SAML enforcement\.\).*config/)
})

test('more repositories than fit are refused by the name of the field that chooses', async t => {
  const { peer, context } = await startGitHub(t)
  for (let index = 0; index < 51; index++) peer.add(`octocat/repository-${index}`)
  await assert.rejects(listSource(github, context), /more than 50 repositories.*`repositories`/)
})

test('limits are kept: a minute for a secondary one, and until the next window for the primary one', async t => {
  const { peer, context, mirror } = await startGitHub(t)
  peer.add('octocat/Hello-World').open({ title: 'One' })
  const isFailure = (kind: string, seconds: number) => (error: unknown) =>
    error instanceof HttpFailure && error.kind === kind && error.retryAfterSeconds === seconds
  peer.interrupt = interruptTimes(1, secondaryLimit)
  await assert.rejects(mirror.sync(), isFailure('rate_limited', 60))
  const now = Math.floor(context.now() / 1_000)
  peer.interrupt = interruptTimes(1, primaryLimit(now + 1_000))
  await assert.rejects(
    mirror.sync(),
    (error: unknown) => error instanceof HttpFailure && (error.retryAfterSeconds ?? 0) > 900,
  )
  peer.interrupt = interruptTimes(2, outOfOrder)
  assert.equal((await mirror.sync()).added, 1)
  assert.deepEqual(context.pauses, [500, 1_000])
})

test('a token that is revoked and a page that is no JSON end the sync, each by its kind', async t => {
  const { peer, mirror } = await startGitHub(t)
  const repository = peer.add('octocat/Hello-World')
  repository.open({ title: 'One' })
  repository.open({ title: 'Two' })
  const isKind = (kind: string) => (error: unknown) => error instanceof HttpFailure && error.kind === kind
  peer.interrupt = interruptTimes(1, htmlPage)
  await assert.rejects(mirror.sync(), isKind('unexpected_reply'))
  peer.interrupt = request => {
    // In the middle of it.
    if (request.path.endsWith('/issues/1348')) peer.token = 'another'
    return null
  }
  await assert.rejects(mirror.sync(), isKind('not_authorized'))
  assert.equal(mirror.documents.size, 1)
})

test('a file that cannot be served fails alone', async t => {
  const { peer, mirror } = await startGitHub(t)
  peer.add('octocat/Hello-World').commit({
    'a.md': 'A',
    'large.pdf': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
  })
  assert.deepEqual(await mirror.sync(), { added: 1, changed: 0, unchanged: 0, deleted: 0, failed: 1 })
  assert.match(mirror.failures.get('repository-1296269/file/large.pdf')?.message ?? '', /Git LFS/)
})
