/** Settings: read once, checked all at once, never leaking a secret. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Setting } from './setting.ts'
import { describeSettings, readSettings, SettingsError, settingDefinitions } from './settings.ts'

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readSettings(environment)
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.faults
  }
  return []
}

const schemes: Record<string, string> = {
  DATABASE_URL: 'postgres:',
  REDIS_URL: 'redis:',
  SMTP_URL: 'smtp:',
}

test('without any variable every setting has its default', () => {
  const settings = readSettings({})
  assert.equal(settings.host, '127.0.0.1')
  assert.equal(settings.port, 8787)
  assert.equal(settings.databaseUrl, null)
  assert.equal(settings.starterPlan.requestsPerMinute, 100)
  assert.equal(settings.professionalPlan.requestsPerMinute, 500)
  assert.equal(settings.enterprisePlan.requestsPerMinute, 6_000)
})

test('every faulty setting is told in one line of its own, which names the variable and what is expected', () => {
  const faults = faultsOf({
    ATRIUM_PORT: 'eighty',
    ATRIUM_ROLE: 'boss',
    ATRIUM_PUBLIC_URL: 'example.com',
    ATRIUM_TRUSTED_PROXIES: '10.0.0.0/8, nowhere',
    ATRIUM_PLAN_STARTER: 'requestsPerMinute=100 speed=9',
    ATRIUM_CORS_ORIGINS: 'https://app.example.com/path',
    DATABASE_URL: 'mysql://db',
  })
  assert.equal(faults.length, 7)
  for (const name of [
    'ATRIUM_PORT',
    'ATRIUM_ROLE',
    'ATRIUM_PUBLIC_URL',
    'ATRIUM_TRUSTED_PROXIES',
    'ATRIUM_PLAN_STARTER',
    'ATRIUM_CORS_ORIGINS',
    'DATABASE_URL',
  ]) {
    assert.equal(faults.filter(fault => fault.startsWith(`${name}: `)).length, 1, name)
  }
  assert.ok(faults.every(fault => !fault.includes('\n')))
})

test('a misspelt variable is a fault that names the nearest setting', () => {
  const meant = {
    ATRIUM_PROT: 'ATRIUM_PORT',
    ATRIUM_DATADIR: 'ATRIUM_DATA_DIR',
    ATRIUM_DATABASE_URL: 'DATABASE_URL',
    ATRIUM_OPENAI_KEY: 'OPENAI_API_KEY',
    ATRIUM_MAX_CONNECTIONS_PER_ADRESS: 'ATRIUM_MAX_CONNECTIONS_PER_ADDRESS',
    ATRIUM_SECRETFILE: 'ATRIUM_SECRET_FILE',
  }
  for (const [name, nearest] of Object.entries(meant))
    assert.deepEqual(faultsOf({ [name]: '80' }), [
      `${name}: there is no such setting; did you mean ${nearest}?`,
    ])
  assert.deepEqual(faultsOf({ ATRIUM_WALRUS_GARDEN: '80' }), [
    'ATRIUM_WALRUS_GARDEN: there is no such setting; --help lists them',
  ])
})

test('the port of the probes is another one than that of the server, which has none as a worker', () => {
  const ports = { ATRIUM_PORT: '8800', ATRIUM_INTERNAL_PORT: '8800' }
  assert.match(faultsOf(ports)[0] ?? '', /^ATRIUM_INTERNAL_PORT: "8800" is the port of ATRIUM_PORT/)
  assert.deepEqual(faultsOf({ ...ports, ATRIUM_ROLE: 'worker' }), [])
})

test('a fault of a secret setting does not show its value', () => {
  const [fault = ''] = faultsOf({ ATRIUM_SECRET: 'hunter2' })
  assert.match(fault, /^ATRIUM_SECRET: the value must have at least 32 characters/)
  assert.ok(!fault.includes('hunter2'))
  const [url = ''] = faultsOf({ DATABASE_URL: 'http://user:hunter2@db' })
  assert.ok(!url.includes('hunter2'))
})

test('each secret setting is read from the file that its variable with _FILE names, without the end of its line', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-settings-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret')
  const secrets = Object.values<Setting<unknown>>(settingDefinitions).filter(({ secret }) => secret === true)
  for (const { variable } of secrets) {
    const scheme = schemes[variable]
    const value = scheme === undefined ? 's'.repeat(40) : `${scheme}//user:password@host`
    await writeFile(file, `${value}\n`)
    const environment = { ATRIUM_SECRET: 'm'.repeat(40), [variable]: '', [`${variable}_FILE`]: file }
    assert.ok(Object.values<unknown>(readSettings(environment)).includes(value), variable)
  }
  assert.deepEqual(faultsOf({ ATRIUM_PORT_FILE: file }), [
    'ATRIUM_PORT_FILE: there is no such setting; --help lists them',
  ])
})

test('a secret given twice, or by a file that is empty or missing, is a fault whose message hides the secret', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-settings-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'secret')
  await writeFile(file, 'hunter2')
  assert.deepEqual(faultsOf({ ATRIUM_SECRET: 'x'.repeat(40), ATRIUM_SECRET_FILE: file }), [
    'ATRIUM_SECRET: ATRIUM_SECRET_FILE is set, too; set one of the two',
  ])
  assert.deepEqual(faultsOf({ ATRIUM_SECRET_FILE: file }), [
    'ATRIUM_SECRET_FILE: the value must have at least 32 characters',
  ])
  assert.deepEqual(faultsOf({ ATRIUM_SECRET_FILE: `${file}-not` }), [
    `ATRIUM_SECRET_FILE: "${file}-not" cannot be read (ENOENT)`,
  ])
  await writeFile(file, '\n')
  assert.deepEqual(faultsOf({ ATRIUM_SECRET_FILE: file }), [`ATRIUM_SECRET_FILE: "${file}" is empty`])
})

test('servers that share a database are given their secret, since each would generate another', () => {
  const [fault = '', ...others] = faultsOf({ DATABASE_URL: 'postgres://db/atrium' })
  assert.match(fault, /^ATRIUM_SECRET: must be set where DATABASE_URL is/)
  assert.deepEqual(others, [])
  assert.deepEqual(faultsOf({ DATABASE_URL: 'postgres://db/atrium', ATRIUM_SECRET: 'x'.repeat(40) }), [])
})

test('a slip in the address of PostgreSQL is told, and its password is not', () => {
  const ATRIUM_SECRET = 'x'.repeat(40)
  for (const [url, remedy] of [
    ['postgres://u:geheim#1@db/atrium', /percent-encode .* %23 for #/],
    ['mysql://u:geheim@db/atrium', /must be an address that begins with postgres:\/\//],
    ['postgres://u:geheim@db/atrium?sslmod=require', /sslmod, .* did you mean sslmode\?/],
    ['postgres://u:geheim@db/atrium?sslmode=requrie', /one of these for sslmode: disable, .*verify-full/],
    [
      'postgres://u:geheim@db/atrium?sslrootcert=/no/such.pem',
      /names \/no\/such\.pem as sslrootcert, .*\(ENOENT\): correct the path/,
    ],
  ] as const) {
    const [fault = '', ...more] = faultsOf({ DATABASE_URL: url, ATRIUM_SECRET })
    assert.deepEqual(more, [])
    assert.match(fault, /^DATABASE_URL: the value /)
    assert.match(fault, remedy)
    assert.ok(!fault.includes('geheim'), fault)
  }
  assert.deepEqual(faultsOf({ DATABASE_URL: 'postgres://db/atrium?sslmode=require', ATRIUM_SECRET }), [])
})

test('a plan keeps the numbers that its setting does not name', () => {
  const { starterPlan } = readSettings({ ATRIUM_PLAN_STARTER: 'requestsPerMinute=7, members=3' })
  assert.deepEqual(starterPlan, {
    requestsPerMinute: 7,
    storageMb: 5_000,
    uploadMb: 100,
    members: 3,
    runsAtOnce: 5,
  })
})

test('an empty variable counts as unset, and a list may have spaces', () => {
  const settings = readSettings({
    ATRIUM_PORT: '',
    ATRIUM_REDIRECT_ORIGINS: ' https://a.example , https://b.example ',
  })
  assert.equal(settings.port, 8787)
  assert.deepEqual(settings.redirectOrigins, ['https://a.example', 'https://b.example'])
})

test('the help lists every setting with its default', () => {
  const help = describeSettings()
  for (const { variable } of Object.values(settingDefinitions))
    assert.match(help, new RegExp(`^  ${variable} `, 'm'))
  assert.match(help, /ATRIUM_PORT .*\[8787\]/)
  assert.match(help, /ATRIUM_PLAN_STARTER .*requestsPerMinute=100/)
})
