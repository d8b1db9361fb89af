import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ServiceError } from '../../../platform/errors.ts'
import { escapeHtml } from '../../../platform/text/html.ts'
import type { InvitationRow } from '../records/invitations-store.ts'
import type { AcceptanceService } from './acceptance-service.ts'
import { createInvitationPages } from './invitations-page.ts'

const request = { requestId: 'req_1', address: null }
const visitor = { ...request, cookie: undefined, userAgent: undefined }
const now = Date.parse('2026-11-21T09:30:00Z')
const row: InvitationRow = {
  id: 'inv_01kajz4v7qf3x8m2c9t5b6n0rw',
  workspace_id: 'wsp_01kajz4v7qf3x8m2c9t5b6n0rw',
  environment: 'live',
  email: 'grace@example.com',
  role: 'member',
  team_ids: '[]',
  message: 'Hello <b>Grace</b>',
  status: 'pending',
  token_hash: '',
  delivery: 'link',
  delivery_error: null,
  invited_by: null,
  expires_at: now + 1,
  created_at: now,
  updated_at: now,
  revision: 1,
}

test('the page shows who invites to what, escaped, and asks only a new person for their name', async () => {
  const page = await pagesOver({}).show('token', visitor)
  assert.equal(page.status, 200)
  assert.match(page.body, /Invitation to &#60;Example&#62; Ltd/)
  assert.match(page.body, /<blockquote>Hello &#60;b&#62;Grace&#60;\/b&#62;<\/blockquote>/)
  assert.match(page.body, /<input id="name" name="name" required/)
  const known = await pagesOver({}, { personId: 'usr_1' }).show('token', visitor)
  assert.doesNotMatch(known.body, /name="name"/)
})

test('the page runs no script, loads nothing, is kept nowhere, and its one style is the one that the policy names', async () => {
  const { body, headers } = await pagesOver({}).show('token', visitor)
  assert.doesNotMatch(body, /<script|\son\w+=|\bsrc=|<link|https?:/i)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'same-origin')
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/)
  assert.ok(headers['content-security-policy']?.includes(`'sha256-${hash}'`))
})

test('an invitation that is no longer open says so, and an unknown link is a page of its own', async () => {
  const expired = await pagesOver({}, { expires_at: now }).show('token', visitor)
  assert.deepEqual([expired.status, /is expired/.test(expired.body)], [410, true])
  const accepted = await pagesOver({}, { status: 'accepted' }).show('token', visitor)
  assert.deepEqual([accepted.status, /is accepted/.test(accepted.body)], [200, true])
  const missing = pagesOver({ show: () => Promise.reject(new ServiceError('not_found')) })
  assert.equal((await missing.show('token', visitor)).status, 404)
  assert.deepEqual(
    await missing.answer('token', { decision: 'accept' }, visitor),
    await missing.show('token', visitor),
  )
})

test('accepting welcomes, declining says so, and neither is done without a decision', async () => {
  const calls: unknown[] = []
  const pages = pagesOver({
    acceptAsGuest: async (token, name, from) => {
      calls.push(['accept', token, name, from])
      return { row, memberId: 'mem_1' }
    },
    declineAsGuest: async (...call) => {
      calls.push(['decline', ...call])
    },
  })
  const welcome = await pages.answer('token', { decision: 'accept', name: 'Grace', password: 'x' }, visitor)
  assert.deepEqual([welcome.status, welcome.headers.location], [303, '/'])
  const declined = await pages.answer('token', { decision: 'decline' }, visitor)
  assert.match(declined.body, /Invitation declined/)
  assert.equal((await pages.answer('token', {}, visitor)).status, 400)
  assert.deepEqual(calls, [
    ['accept', 'token', 'Grace', request],
    ['decline', 'token', request],
  ])
})

test('a faulty name shows the form again with the reason, and what is not foreseen is not hidden', async () => {
  const reason = new ServiceError('validation_failed', undefined, {
    errors: [{ field: 'name', message: 'has more than 200 characters' }],
  })
  const refused = await pagesOver({ acceptAsGuest: () => Promise.reject(reason) }).answer(
    'token',
    { decision: 'accept', password: 'long enough' },
    visitor,
  )
  assert.equal(refused.status, 400)
  assert.match(refused.body, /role="alert">Your name has more than 200 characters\./)
  assert.match(refused.body, /<form/)
  const broken = pagesOver({ acceptAsGuest: () => Promise.reject(new Error('disk on fire')) })
  await assert.rejects(broken.answer('token', { decision: 'accept' }, visitor), /disk on fire/)
})

test('escaping leaves nothing that could begin or end markup or an attribute', () => {
  assert.equal(escapeHtml(`<a href="x" title='y'>&`), '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;')
})

function pagesOver(
  acceptance: Partial<AcceptanceService>,
  shown: Partial<InvitationRow> & { personId?: string } = {},
) {
  const { personId = null, ...columns } = shown
  const unexpected = () => Promise.reject(new Error('not part of this test'))
  return createInvitationPages({
    clock: () => now,
    accounts: {
      signedInAs: async () => null,
      hasAccount: async () => true,
      prepare: async () => 'hash',
      open: async () => 'cookie=1',
    },
    acceptance: {
      show: async () => ({
        invitation: { ...row, workspace_name: '<Example> Ltd', inviter_name: 'Ada', ...columns },
        personId,
      }),
      acceptAsGuest: unexpected,
      declineAsGuest: unexpected,
      accept: unexpected,
      ...acceptance,
    },
  })
}
