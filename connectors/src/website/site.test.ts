import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheapestTurnMs } from '../../../server/src/testing/costs/processor-time.ts'
import type { WebsiteConfig } from './settings.ts'
import { createSite, wantedAmong } from './site.ts'

const mostMs = 50
const config: WebsiteConfig = {
  url: 'https://example.com/',
  discover: 'links',
  exclude: [],
  documents: false,
  maxPages: 1_000,
  maxDepth: 10,
}

test('very many links of one page hold others up for 50 ms at most', async () => {
  const site = createSite(config, 'https://example.com')
  const links = Array.from({ length: 50_000 }, (_, i) => `/docs/${i}/page?b=${i}&a=1&utm_source=mail`)
  let wanted: string[] = []
  const ms = await cheapestTurnMs(mostMs, async () => {
    wanted = await wantedAmong(site, links, 'https://example.com/docs/')
  })
  assert.equal(wanted.length, links.length)
  assert.equal(wanted[7], 'https://example.com/docs/7/page?a=1&b=7')
  assert.ok(ms <= mostMs, `${ms} ms`)
})
