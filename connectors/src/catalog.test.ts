import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './catalog.ts'

test('every address of the catalog is https, and every service that is one has its documentation named', () => {
  for (const { id, auth, documentationUrl } of catalog) {
    const ways = auth.filter(({ kind }) => kind === 'oauth2')
    for (const way of auth) {
      if (way.kind !== 'oauth2') continue
      const { issuer, authorizationUrl, tokenUrl, deviceAuthorizationUrl, revocation } = way
      const addresses = [issuer, authorizationUrl, tokenUrl, deviceAuthorizationUrl, revocation?.url]
      for (const address of addresses) if (address !== undefined) assert.match(address, /^https:\/\//, id)
    }
    if (ways.length > 0) assert.match(documentationUrl ?? '', /^https:\/\//, id)
  }
})

test('ids are unique and fit for a URL, and so are the names of tools', () => {
  const ids = catalog.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const { id, tools = [] } of catalog) {
    assert.match(id, /^[a-z0-9-]{1,50}$/)
    const names = tools.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length, id)
    for (const name of names) assert.match(name, /^[a-z][a-z0-9_]{1,63}$/)
  }
})

type Json = Record<string, unknown> & { properties?: object }

/** The places of texts without a limit. */
function unlimited(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, maxLength, enum: choices, properties, items, additionalProperties } = schema as Json
  const isOpen = [type].flat().includes('string') && maxLength === undefined && choices === undefined
  return [
    ...(isOpen ? [place] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => unlimited(inner, `${place}.${name}`)),
    ...unlimited(items, `${place}[]`),
    ...unlimited(additionalProperties, `${place}.*`),
  ]
}

test('each text in the arguments of a tool has a greatest length', () => {
  const open = catalog.flatMap(({ id, tools = [] }) =>
    tools.flatMap(tool => unlimited(tool.input, `${id}.${tool.name}`)),
  )
  assert.deepEqual(open, [])
})
