import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPassword } from '../../testing/browser.ts'
import { createInstallation } from '../../testing/operator.ts'

test("the operator's command makes a link to the setup or to a new password, and turns off a lost second factor", async t => {
  const installation = await createInstallation(t)
  await installation.atriumHere('doctor')
  const server = await installation.startServer()
  const owner = await installation.atriumJson('user reset-password --user owner@localhost')
  // The link that the start has printed, at the address at which the server listens.
  assert.ok(owner.url.startsWith(`${server.origin}/setup?token=`), owner.url)
  assert.ok(server.output().includes(owner.url))
  const post = (path: string, body: object) =>
    fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.origin },
      body: JSON.stringify(body),
    })
  const setup = { name: 'Ada', email: 'ada@example.com', password: testPassword }
  const token = new URL(owner.url).searchParams.get('token')
  assert.equal((await post('/console/setup', { ...setup, token })).status, 200)
  const reset = await installation.atriumJson(
    'user reset-password --user ada@example.com --disable-two-factor',
  )
  assert.ok(reset.url.startsWith(`${server.origin}/reset-password?token=`), reset.url)
  assert.ok(Date.parse(reset.expiresAt) > Date.now())
  const newPassword = 'another battery staple'
  const link = new URL(reset.url).searchParams.get('token')
  assert.equal((await post('/auth/reset-password', { token: link, newPassword })).status, 204)
  const credentials = { email: 'ada@example.com', password: newPassword }
  assert.equal((await post('/auth/sign-in/email', credentials)).status, 200)
  // The first owner's address is free again.
  assert.equal((await installation.atriumHere('user reset-password --user owner@localhost')).exitCode, 1)
})
