import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirect, robots } from '../../../server/src/testing/peers/website.ts'
import { isFailure } from '../testing/is-failure.ts'
import { connectSite, siteOrigin } from '../testing/website.ts'
import { websiteTools } from './tools.ts'

const [fetchPage] = websiteTools
assert.ok(fetchPage)

test('an agent reads a page as it is now, by its path or its address, and sees where it leads', async t => {
  const { site, context } = await connectSite(t)
  site.put(
    '/guide/install',
    '<p>Run it.</p><a href="/guide/next">Next</a><a href="https://other.example/">Away</a>',
  )
  const expected = {
    url: `${siteOrigin}/guide/install`,
    title: 'install',
    text: '# install\n\nRun it.\n\nNextAway',
    links: [`${siteOrigin}/`, `${siteOrigin}/guide/next`],
  }
  for (const url of ['/guide/install', `${siteOrigin}/guide/install#part`]) {
    assert.deepEqual(await fetchPage.run(context, { url }), expected)
  }
  site.pages.set('/old', redirect('/guide/install'))
  assert.deepEqual(await fetchPage.run(context, { url: '/old' }), expected)
})

test('an agent reaches nothing but the connected site, and there nothing that robots may not read', async t => {
  const { site, context } = await connectSite(t, { url: `${siteOrigin}/guide/` })
  site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /guide/private'))
  site.put('/guide/private', '<p>Private</p>')
  site.put('/away', '<p>Away</p>')
  site.pages.set('/guide/out', redirect('http://169.254.169.254/'))
  const outside = [
    ...['https://other.example/', 'http://169.254.169.254/', '//other.example/x', '/away', '/guide/../away'],
    ...['file:///etc/passwd', 'https://user:pass@docs.example.com/guide/', '/guide/private'],
  ]
  for (const url of outside) {
    await assert.rejects(fetchPage.run(context, { url }), isFailure('forbidden'), url)
  }
  for (const url of ['/guide/missing', '/guide/out']) {
    await assert.rejects(fetchPage.run(context, { url }), isFailure('missing'))
  }
  assert.deepEqual(
    site.asked().filter(line => !line.endsWith('/robots.txt')),
    ['GET /guide/missing', 'GET /guide/out'],
  )
})
