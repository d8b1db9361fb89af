import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './catalog.ts'

test('every address of the catalog is https, and every service that is one has its documentation named', () => {
  for (const { id, auth, documentationUrl } of catalog) {
    const addresses =
      auth.kind === 'oauth2'
        ? [auth.issuer, auth.authorizationUrl, auth.tokenUrl, auth.revocation?.url ?? documentationUrl]
        : []
    for (const address of addresses) assert.match(address ?? '', /^https:\/\//, id)
    assert.equal(auth.kind === 'oauth2', documentationUrl !== null, id)
  }
})

test('ids are unique and fit for a URL', () => {
  const ids = catalog.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z0-9-]{1,50}$/)
})
