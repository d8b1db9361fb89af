import assert from 'node:assert/strict'
import { test } from 'node:test'
import { primaryLimit, problem, secondaryLimit } from '../../../server/src/testing/peers/github-payloads.ts'
import { htmlPage, interruptTimes, outOfOrder } from '../../../server/src/testing/peers/loopback-peer.ts'
import { HttpFailure } from '../http.ts'
import { isFailure } from '../testing/is-failure.ts'
import { listSource, titlesOf } from '../testing/run-source.ts'
import { contextFor, startGitHub } from '../testing/start-github.ts'
import { github } from './connector.ts'

test('issues, pull requests and files become documents that say where they are from and who may read them', async t => {
  const { peer, context, mirror } = await startGitHub(t)
  const open = peer.add('octocat/Hello-World')
  const bug = open.open({ title: 'Found a bug', body: "I'm having a problem with this.", labels: ['bug'] })
  open.comment(bug.number, 'hubot', 'Me too')
  const pull = open.open({
    title: 'Amazing new feature',
    body: 'Please pull these awesome changes in!',
    pull: { mergedAt: null, reviews: [], reviewComments: [] },
  })
  const remark = {
    id: 10,
    user: 'hubot',
    body: 'Great stuff!',
    createdAt: pull.createdAt,
    updatedAt: pull.updatedAt,
  }
  pull.pull?.reviewComments.push({ ...remark, path: 'file1.txt' })
  pull.pull?.reviews.push({ ...remark, body: 'Here is the body for the review.' })
  open.commit({ 'docs/guide.md': '# Guide\n\nTurn it on.', 'src/main.c': 'int main() {}', 'README.md': '' })
  const secret = peer.add('octo-org/secret', 'private')
  secret.commit({ 'plan.md': '# Plan' })

  assert.deepEqual(await github.check(context), { id: '1', name: 'octocat' })
  assert.deepEqual(await mirror.sync(), { added: 4, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  assert.deepEqual(titlesOf(mirror), [
    'Amazing new feature (octocat/Hello-World#1348)',
    'Found a bug (octocat/Hello-World#1347)',
    'octo-org/secret/plan.md',
    'octocat/Hello-World/docs/guide.md',
  ])
  const found = mirror.documents.get('repository-1296269/issue-1347')
  assert.equal(
    found?.text,
    `# Found a bug

Issue #1347 in octocat/Hello-World, open, opened by octocat on 2026-03-01.
Labels: bug.

I'm having a problem with this.

## Comments

### hubot, 2026-03-01

Me too
`,
  )
  assert.deepEqual(found.metadata, {
    url: 'https://github.com/octocat/Hello-World/issues/1347',
    author: 'octocat',
    createdAt: '2026-03-01T08:10:00Z',
    updatedAt: '2026-03-01T08:20:00Z',
    readers: ['everyone'],
    repository: 'octocat/Hello-World',
    kind: 'issue',
    state: 'open',
    labels: ['bug'],
  })
  const merged = mirror.documents.get('repository-1296269/issue-1348')
  assert.match(merged?.text ?? '', /^Pull request #1348/m)
  assert.match(merged?.text ?? '', /### hubot, 2026-03-01, on `file1.txt`\n\nGreat stuff!/)
  assert.match(merged?.text ?? '', /Here is the body for the review\./)
  const plan = mirror.documents.get('repository-1296270/file/plan.md')
  assert.deepEqual(plan?.metadata?.readers, ['group:octo-org/secret'])
  assert.equal(plan?.metadata?.url, 'https://github.com/octo-org/secret/blob/main/plan.md')
})

test('a later sync asks for what changed alone, and files that were deleted or renamed are gone at once', async t => {
  const { peer, mirror } = await startGitHub(t)
  const repository = peer.add('octocat/Hello-World')
  for (const title of ['One', 'Two', 'Three']) repository.open({ title })
  repository.commit({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C', 'd.md': 'D' })
  await mirror.sync()
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 1, deleted: 0, failed: 0 })

  repository.comment(1_347, 'hubot', 'News')
  repository.open({ title: 'Four' })
  repository.commit({ 'a.md': 'A, changed', 'b.md': null, 'c.md': null, 'moved/c.md': 'C', 'e.md': 'E' })
  peer.requests.length = 0
  assert.deepEqual(await mirror.sync(), { added: 3, changed: 2, unchanged: 1, deleted: 2, failed: 0 })
  assert.deepEqual(titlesOf(mirror), [
    'Four (octocat/Hello-World#1350)',
    'One (octocat/Hello-World#1347)',
    'Three (octocat/Hello-World#1349)',
    'Two (octocat/Hello-World#1348)',
    ...['a.md', 'd.md', 'e.md', 'moved/c.md'].map(path => `octocat/Hello-World/${path}`),
  ])
  assert.equal(mirror.documents.get('repository-1296269/file/a.md')?.text, 'A, changed')
  assert.ok(peer.requests.every(({ path }) => !path.includes('/git/trees/')))
})

test('an issue that was deleted is gone after a listing of everything', async t => {
  const { peer, mirror } = await startGitHub(t)
  const repository = peer.add('octocat/Hello-World')
  repository.open({ title: 'One' })
  repository.open({ title: 'Two' })
  await mirror.sync()
  repository.issues.delete(1_347)
  assert.equal((await mirror.sync()).deleted, 0)
  assert.equal((await mirror.sync({ full: true })).deleted, 1)
  assert.deepEqual(titlesOf(mirror), ['Two (octocat/Hello-World#1348)'])
})

test('every issue is listed exactly once, also where many were changed in the same second', async t => {
  const { peer, context } = await startGitHub(t, { content: ['issues'] })
  peer.maxPageRows = 7
  const repository = peer.add('octocat/Hello-World')
  for (let index = 0; index < 23; index++) {
    peer.tickSeconds = index % 5 === 0 ? 0 : 60
    repository.open({ title: `Issue ${index}` })
  }
  peer.tickSeconds = 0
  for (let index = 0; index < 30; index++) repository.open({ title: `Same second ${index}` })
  const { items } = await listSource(github, context)
  assert.equal(items.length, 53)
  assert.equal(new Set(items.map(({ id }) => id)).size, 53)
})

test('an issue that changes while the list is read is not missed, nor is another one', async t => {
  const { peer, mirror } = await startGitHub(t, { content: ['issues'] })
  peer.maxPageRows = 3
  const repository = peer.add('octocat/Hello-World')
  for (let index = 0; index < 10; index++) repository.open({ title: `Issue ${index}` })
  let pages = 0
  peer.interrupt = ({ path }) => {
    if (!path.endsWith('/issues')) return null
    pages += 1
    if (pages === 2) repository.change(1_347, issue => Object.assign(issue, { title: 'Changed' }))
    if (pages === 3) repository.issues.delete(1_348)
    return null
  }
  await mirror.sync()
  assert.equal(mirror.documents.size, 9)
  assert.equal(
    mirror.documents.get('repository-1296269/issue-1347')?.title,
    'Changed (octocat/Hello-World#1347)',
  )
})

test('a tree that is too large for one reply is read folder by folder, and only where something is wanted', async t => {
  const { peer, context } = await startGitHub(t, {
    content: ['files'],
    paths: ['docs', 'notes/top.md', 'LICENSE'],
  })
  const repository = peer.add('octocat/Hello-World')
  const names = Array.from({ length: 12 }, (_, index) => index)
  repository.commit({
    ...Object.fromEntries(names.map(index => [`docs/part-${index % 4}/page-${index}.md`, `Page ${index}`])),
    ...Object.fromEntries(names.map(index => [`vendor/lib-${index}/README.md`, `Vendor ${index}`])),
    'docs/index.md': 'Index',
    'docs/logo.png': 'PNG',
    'notes/top.md': 'Top',
    'notes/other.md': 'Other',
    LICENSE: 'MIT',
    'README.md': 'Read me',
  })
  peer.maxTreeEntries = 6
  const { items } = await listSource(github, context)
  assert.deepEqual(
    items.map(({ title }) => title).sort(),
    [
      ...['LICENSE', 'docs/index.md', 'notes/top.md'],
      ...names.map(index => `docs/part-${index % 4}/page-${index}.md`),
    ].sort(),
  )
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length)
  const trees = peer.requests.filter(({ path }) => path.includes('/git/trees/'))
  assert.ok(trees.length < 16, `${trees.length} trees were read, those of vendor/ among them`)
})

test('links, empty files and other formats are left out, and a path may be as long as it likes', async t => {
  const { peer, mirror } = await startGitHub(t, { content: ['files'] })
  const repository = peer.add('octocat/Hello-World')
  const long = `${'folder/'.repeat(80)}page.md`
  repository.commit({ 'empty.md': '', 'main.c': 'int', [long]: 'Deep', 'ä ö/100% #1?.md': 'Odd' })
  repository.commit({ 'link.md': '../secret.md' }, '120000')
  assert.equal((await mirror.sync()).added, 2)
  assert.ok([...mirror.documents.keys()].every(id => id.length <= 400))
  const odd = mirror.documents.get('repository-1296269/file/ä ö/100% #1?.md')
  assert.equal(
    odd?.metadata?.url,
    `https://github.com/octocat/Hello-World/blob/main/${encodeURI('ä ö')}/100%25%20%231%3F.md`,
  )
  repository.commit({ [long]: null })
  assert.equal((await mirror.sync()).deleted, 1)
})

test('commits that were taken back take their files with them', async t => {
  const { peer, mirror } = await startGitHub(t)
  const repository = peer.add('octocat/Hello-World')
  repository.commit({ 'a.md': 'A' })
  repository.commit({ 'secret.md': 'The password is …' })
  await mirror.sync()
  repository.takeBack()
  assert.equal((await mirror.sync()).deleted, 1)
  assert.deepEqual(titlesOf(mirror), ['octocat/Hello-World/a.md'])
})

test('a repository that becomes private takes its documents with it to other readers', async t => {
  const { peer, mirror } = await startGitHub(t)
  const repository = peer.add('octocat/Hello-World')
  repository.open({ title: 'One' })
  repository.commit({ 'a.md': 'A' })
  await mirror.sync()
  repository.visibility = 'private'
  assert.equal((await mirror.sync()).changed, 2)
  for (const { metadata } of mirror.documents.values())
    assert.deepEqual(metadata?.readers, ['group:octocat/Hello-World'])
})

test('where the open ones alone are wanted, an issue goes when it is closed', async t => {
  const { peer, mirror } = await startGitHub(t, { state: 'open', content: ['issues'] })
  const repository = peer.add('octocat/Hello-World')
  for (const title of ['One', 'Two', 'Three']) repository.open({ title })
  repository.open({ title: 'A pull request', pull: { mergedAt: null, reviews: [], reviewComments: [] } })
  repository.close(1_347)
  assert.equal((await mirror.sync()).added, 2)
  repository.close(1_348)
  assert.equal((await mirror.sync()).deleted, 1)
  assert.deepEqual(titlesOf(mirror), ['Three (octocat/Hello-World#1349)'])
})

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
  const asksForRest = (kind: string, seconds: number) => (error: unknown) =>
    error instanceof HttpFailure && error.kind === kind && error.retryAfterSeconds === seconds
  peer.interrupt = interruptTimes(1, secondaryLimit)
  await assert.rejects(mirror.sync(), asksForRest('rate_limited', 60))
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
  peer.interrupt = interruptTimes(1, htmlPage)
  await assert.rejects(mirror.sync(), isFailure('unexpected_reply'))
  peer.interrupt = request => {
    // In the middle of it.
    if (request.path.endsWith('/issues/1348')) peer.token = 'another'
    return null
  }
  await assert.rejects(mirror.sync(), isFailure('not_authorized'))
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
