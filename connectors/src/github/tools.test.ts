import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startGitHubPeer } from '../../../server/src/testing/peers/github.ts'
import { openContext } from '../testing/run-source.ts'
import { github } from './connector.ts'
import type { Settings } from './settings.ts'

/** What the answers have that is looked at. */
type Answer = {
  issues?: unknown
  markdown?: string
  text?: string
  entries?: unknown[]
  number?: number
  url?: string
}

async function start(t: TestContext, config: Settings = {}) {
  const peer = await startGitHubPeer(t)
  const context = openContext(github, {
    config,
    credentials: { kind: 'oauth2', accessToken: peer.token },
    peers: { 'https://api.github.com': peer.origin },
  })
  const call = async (name: string, input: Record<string, unknown>) => {
    const tool = github.tools?.find(one => one.name === name)
    assert.ok(tool)
    // The answer's shape is each tool's own.
    return (await tool.run(context, input)) as Answer
  }
  const repository = peer.add('octocat/Hello-World')
  const other = peer.add('octo-org/secret', 'private')
  return { peer, call, repository, other }
}

test('issues are found by their words and read with their comments', async t => {
  const { call, repository } = await start(t)
  repository.open({ title: 'The printer smokes', body: 'Since Monday' })
  repository.open({
    title: 'Stop the printer',
    pull: { mergedAt: '2026-03-02T00:00:00Z', reviews: [], reviewComments: [] },
  })
  repository.comment(1_347, 'hubot', 'Pull the plug.')
  const { issues } = await call('search_issues', { query: 'printer' })
  assert.deepEqual(issues, [
    {
      repository: 'octocat/Hello-World',
      number: 1_347,
      title: 'The printer smokes',
      kind: 'issue',
      state: 'open',
      updatedAt: '2026-03-01T08:30:00Z',
      url: 'https://github.com/octocat/Hello-World/issues/1347',
    },
    {
      repository: 'octocat/Hello-World',
      number: 1_348,
      title: 'Stop the printer',
      kind: 'pull_request',
      state: 'merged',
      updatedAt: '2026-03-01T08:20:00Z',
      url: 'https://github.com/octocat/Hello-World/pull/1348',
    },
  ])
  const read = await call('get_issue', { repository: 'octocat/Hello-World', number: 1_347 })
  assert.match(read.markdown ?? '', /Since Monday[\s\S]*Pull the plug\./)
})

test('files are read and folders listed, within the repository only', async t => {
  const { call, repository } = await start(t)
  const first = repository.commit({ 'docs/a b.md': 'Grüße', 'docs/sub/c.md': 'C' })
  repository.commit({ 'docs/a b.md': 'Changed', 'large.txt': 'x'.repeat(1_100_000), 'bin.dat': 'a\0b' })
  const where = { repository: 'octocat/Hello-World' }
  assert.deepEqual(await call('read_file', { ...where, path: 'docs/a b.md' }), {
    path: 'docs/a b.md',
    text: 'Changed',
  })
  assert.equal((await call('read_file', { ...where, path: '/docs/a b.md', ref: first })).text, 'Grüße')
  assert.deepEqual((await call('read_file', { ...where, path: 'docs/' })).entries, [
    { type: 'file', path: 'docs/a b.md', size: 0 },
    { type: 'dir', path: 'docs/sub', size: 0 },
  ])
  assert.equal((await call('read_file', where)).entries?.length, 3)
  await assert.rejects(call('read_file', { ...where, path: 'large.txt' }), /at most 1 MB/)
  await assert.rejects(call('read_file', { ...where, path: 'bin.dat' }), /not a text file/)
  for (const path of ['../../../user', 'docs/../../..', 'docs//a'])
    await assert.rejects(call('read_file', { ...where, path }), /within the repository/)
})

test('issues and comments are written', async t => {
  const { peer, call } = await start(t)
  const { number } = await call('create_issue', {
    repository: 'octocat/Hello-World',
    title: 'New',
    body: 'Text',
  })
  const { url } = await call('create_issue_comment', {
    repository: 'octocat/Hello-World',
    number,
    body: 'More',
  })
  assert.match(url ?? '', /#issuecomment-/)
  assert.deepEqual(peer.written, [
    { path: 'octocat/Hello-World/issues', body: { title: 'New', body: 'Text' } },
    { path: 'octocat/Hello-World/issues/1347/comments', body: { body: 'More' } },
  ])
  assert.deepEqual(
    github.tools?.filter(({ changes }) => changes).map(({ name }) => name),
    ['create_issue', 'create_issue_comment'],
  )
})

test('where the config names repositories, tools reach no others, whatever they are asked', async t => {
  const { peer, call, repository, other } = await start(t, { repositories: ['octocat/hello-world'] })
  repository.open({ title: 'A plan' })
  other.open({ title: 'The secret plan' })
  other.commit({ 'plan.md': 'Secret' })
  const found = await call('search_issues', { query: 'plan repo:octo-org/secret' })
  assert.ok(!JSON.stringify(found).includes('secret'), JSON.stringify(found))
  const reached = { repository: 'octo-org/secret' }
  for (const [name, input] of [
    ['search_issues', { ...reached, query: 'plan' }],
    ['get_issue', { ...reached, number: 1_347 }],
    ['read_file', { ...reached, path: 'plan.md' }],
    ['create_issue', { ...reached, title: 'x' }],
    ['create_issue_comment', { ...reached, number: 1_347, body: 'x' }],
  ] as const) {
    await assert.rejects(call(name, input), /reaches octocat\/hello-world, and not octo-org\/secret/)
  }
  assert.deepEqual(await call('list_repositories', {}), { repositories: [{ name: 'octocat/hello-world' }] })
  assert.deepEqual(peer.written, [])
})

test('the config schema lets no name or path through that leads elsewhere', () => {
  const { repositories } = github.configSchema.properties as { repositories: { items: { pattern: string } } }
  const fits = (name: string) => new RegExp(repositories.items.pattern).test(name)
  assert.ok(['octocat/Hello-World', 'a_b/c.d', 'o/.github'].every(fits))
  assert.ok(['octocat', 'a/..', 'a/.', 'a/b/c', 'a/b?c', '../user', 'a/b%2f'].every(name => !fits(name)))
  assert.deepEqual(
    github.checkConfig?.({ paths: ['docs', '/docs/guides/', '../x', ''] }).map(({ field }) => field),
    ['paths.2', 'paths.3'],
  )
})
