import assert from 'node:assert/strict'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testEngine } from '../testing/database.ts'
import { eventually } from '../testing/eventually.ts'
import { createInstallation } from '../testing/operator.ts'

test('a workspace, its owner and a key that works are made on an empty place, beside a running server', async t => {
  const installation = await createInstallation(t)
  const json = async (words: string) => {
    const { exitCode, stdout, stderr } = await installation.atrium(`${words} --json`)
    assert.deepEqual([exitCode, stderr], [0, ''])
    assert.equal(stdout.trim().split('\n').length, 1, 'one JSON value and nothing else')
    return JSON.parse(stdout)
  }
  const first = await json('workspace create First')
  assert.deepEqual([first.slug, first.plan, first.owner], ['first', 'enterprise', 'owner@localhost'])
  const server = await installation.startServer()
  const second = await json('workspace create --name Second --owner Ada@Example.com')
  assert.deepEqual([second.plan, second.owner], ['free', 'ada@example.com'])
  const known = (await installation.atriumJson('workspace list')) as Record<string, string>[]
  assert.deepEqual(
    known.map(({ slug, plan }) => [slug, plan]),
    [
      ['first', 'enterprise'],
      ['second', 'free'],
    ],
  )
  const made = await installation.atriumJson(
    'key create --workspace second --env live --name ci --permissions all',
  )
  assert.match(made.id, /^key_/)
  assert.match(made.key, /^sk_live_[0-9A-Za-z]{49}$/)
  const changed = await installation.atriumJson(`workspace set-plan ${second.id} starter --rate 7`)
  assert.deepEqual([changed.plan, changed.requestsPerMinute], ['starter', 7])
  const budget = await installation.atriumJson('workspace set-budget second 12.5')
  assert.deepEqual([budget.slug, budget.monthlyCostLimitUsd], ['second', 12.5])
  assert.equal((await installation.atriumJson('workspace set-budget second none')).monthlyCostLimitUsd, null)
  assert.equal((await installation.atriumHere('workspace set-budget second lots')).exitCode, 2)
  const call = () =>
    fetch(`${server.origin}/api/v1/workspace`, { headers: { authorization: `Bearer ${made.key}` } })
  const answer = await call()
  assert.deepEqual([answer.status, answer.headers.get('x-ratelimit-limit')], [200, '7'])

  const listed = (await installation.atriumJson('key list --workspace second')) as Record<string, string>[]
  assert.deepEqual(
    listed.map(({ id, name, user }) => [id, name, user]),
    [[made.id, 'ci', 'ada@example.com']],
  )
  assert.ok(!JSON.stringify(listed).includes(made.key))
  await installation.atriumJson(`key revoke ${made.id}`)
  const gone = await installation.atriumJson('key list --workspace second')
  assert.ok(gone[0].revokedAt !== null)
  await server.stop()
})

test('the operator deletes a workspace and restores it, and a running server obeys within seconds', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const made = await installation.atriumJson(
    'key create --workspace acme --env live --name ci --permissions all',
  )
  const server = await installation.startServer()
  const call = async () =>
    (
      await fetch(`${server.origin}/api/v1/workspace`, { headers: { authorization: `Bearer ${made.key}` } })
    ).json() as Promise<{ code?: string; data?: unknown }>
  const deleted = await installation.atriumJson('workspace delete acme')
  assert.match(deleted.deletesAt, /^\d{4}-/)
  assert.equal((await call()).code, 'workspace_deleted')
  const again = await installation.atriumJson('workspace delete acme')
  assert.equal(again.deletesAt, deleted.deletesAt)
  assert.match((await installation.atriumHere('workspace list')).stdout, /acme .*\(deleted; erased from/)
  assert.equal((await installation.atriumJson('workspace restore acme')).deletesAt, null)
  await eventually('the key works again', async () => (await call()).data !== undefined)
  assert.notEqual((await installation.atriumHere('workspace delete nowhere')).exitCode, 0)
  await server.stop()
})

test('a key has the permissions that are named, of the member who is named, until the time that is named', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const user = await installation.atriumJson([
    ...['user', 'create', '--email', 'Grace@Example.com', '--name', 'Grace Hopper'],
    ...['--workspace', 'acme', '--role', 'viewer'],
  ])
  assert.deepEqual([user.email, user.name, user.role], ['grace@example.com', 'Grace Hopper', 'viewer'])
  const create = 'key create --workspace acme --env test --name n'
  const all = await installation.atriumJson(
    `${create} --permissions all --user grace@example.com --expires 2d`,
  )
  assert.deepEqual(all.permissions, ['agents:read', 'knowledge:read', 'integrations:read', 'members:read'])
  const days = (Date.parse(all.expiresAt) - Date.now()) / 86_400_000
  assert.ok(days > 1.99 && days <= 2)
  const two = await installation.atriumJson(`${create} --permissions agents:run,agents:read`)
  assert.deepEqual(two.permissions, ['agents:run', 'agents:read'])

  const refused: [string, RegExp, number][] = [
    [`${create} --permissions keys:write --user grace@example.com`, /role viewer does not have/, 1],
    [`${create} --permissions all --user nadia@example.com`, /not a member/, 1],
    [`${create} --permissions everything`, /is not one of agents:read/, 2],
    [`${create} --permissions all --expires yesterday`, /no time to come/, 2],
    ['key create --workspace nowhere --env test --name n --permissions all', /no workspace nowhere/, 1],
    ['key revoke key_00000000000000000000000000', /no key key_0/, 1],
    ['user create --email grace@example.com --name Again', /already/, 1],
    ['user create --email grace@ --name Again', /--email must be/, 2],
    ['workspace create Acme', /slug acme already/, 1],
    ['workspace set-plan acme gold', /PLAN must be one of free/, 2],
    ['workspace set-plan acme starter --rate 0', /--rate must be/, 1],
    ['user reset-password --user nadia@example.com', /no user with the address nadia/, 1],
  ]
  for (const [words, message, exitCode] of refused) {
    const result = await installation.atriumHere(words)
    assert.match(result.stderr, message, words)
    assert.deepEqual([result.exitCode, result.stdout], [exitCode, ''], words)
  }
})

test('the doctor finds a sound place sound', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const { ok, checks } = await installation.atriumJson('doctor')
  assert.equal(ok, true)
  const named = new Map<string, { detail: string }>(
    checks.map((check: { name: string }) => [check.name, check]),
  )
  assert.match(named.get('database')?.detail ?? '', testEngine === 'sqlite' ? /^SQLite 3/ : /^PostgreSQL \d/)
  assert.match(named.get('code')?.detail ?? '', /^a server starts from the (built files$|sources: )/)
  for (const name of [
    'schema',
    'integrity',
    'secret',
    'clock',
    'files',
    'settings',
    'disk',
    'mail',
    'parsers',
  ]) {
    assert.ok(named.has(name), name)
  }
})

test('a restore is refused while a server runs, over data that is there, and from what is no backup', async t => {
  const installation = await createInstallation(t)
  await installation.atriumJson('workspace create Acme')
  const backup = join(installation.dataDir, 'backup')
  await installation.atriumJson(['backup', backup])
  const again = await installation.atriumHere(['backup', backup])
  assert.match(again.stderr, /is not empty/)
  assert.deepEqual((await stat(backup)).mode & 0o077, 0, 'only its owner can read a backup')

  assert.match(
    (await installation.atriumHere(['restore', backup])).stderr,
    /There is data already \(workspace acme\)/,
  )
  const server = await installation.startServer()
  const beside = await installation.atriumHere(['restore', backup, '--replace'])
  assert.match(beside.stderr, testEngine === 'sqlite' ? /Another Atrium server/ : /A server works on/)
  assert.equal(beside.exitCode, 1)
  await server.stop()

  const empty = join(installation.dataDir, 'empty')
  await mkdir(empty)
  assert.match((await installation.atriumHere(['restore', empty])).stderr, /holds no backup/)
  await writeFile(join(empty, 'manifest.json'), '{"format": "something else"}')
  assert.match((await installation.atriumHere(['restore', empty])).stderr, /not the manifest/)
  await rm(join(backup, 'tables', 'members.jsonl.gz'))
  assert.equal((await installation.atriumHere(['restore', backup, '--replace'])).exitCode, 1)
  const kept = await installation.atriumJson('workspace list')
  assert.equal(kept.length, 1, 'a restore that fails changes nothing')
})
