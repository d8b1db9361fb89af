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

test('a misspelt variable is a fault, not a setting that is silently without effect', () => {
  assert.deepEqual(faultsOf({ ATRIUM_PROT: '80' }), [
    'ATRIUM_PROT: there is no such setting; --help lists them',
  ])
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
