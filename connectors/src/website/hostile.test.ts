import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { outOfOrder, tooManyRequests } from '../../../server/src/testing/peers/loopback-peer.ts'
import { page, redirect, robots, sitemap } from '../../../server/src/testing/peers/website.ts'
import { HttpFailure } from '../http.ts'
import { isFailure } from '../testing/is-failure.ts'
import { fetchItem, listSource } from '../testing/run-source.ts'
import { connectSite, openSite, siteOrigin } from '../testing/website.ts'
import { website } from './connector.ts'

const at = (path: string): string => `${siteOrigin}${path}`

test('a site without an end is read as far as maxPages, and those near the first page come first', async t => {
  const { site, mirror } = await connectSite(t, { maxPages: 30, maxDepth: 50 })
  site.peer.interrupt = ({ path, query }) => {
    if (path === '/robots.txt' || path === '/sitemap.xml') return null
    const number = Number(query.get('day') ?? 0)
    return page(
      `<p>Day ${number}</p><a href="/calendar${number}?day=${number + 1}">Next</a><a href="/near${number}">N</a>`,
      {
        title: `${path} ${number}`,
      },
    )
  }
  const { added } = await mirror.sync()
  assert.equal(added, 30)
  assert.ok(mirror.documents.has(at('/near0')))
  assert.ok(site.asked().length < 2 * 30 + 20)
})

test('links that lead round and deeper into themselves end', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', '<a href="/a/">A</a>')
  site.peer.interrupt = ({ path }) =>
    path.startsWith('/a/')
      ? page(`<p>At ${path}</p><a href="a/">Deeper</a><a href="/">Home</a><a href=".">Here</a>`)
      : null
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/a/'), at('/a/a/'), at('/a/a/a/')])
})

test('the same text under ever new addresses is read once', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', '<a href="/s/0">Start</a>')
  site.peer.interrupt = ({ path }) =>
    path.startsWith('/s/')
      ? page(`<p>Hello</p><a href="/s/${path.length}${Date.now()}${Math.random()}">Again</a>`)
      : null
  await mirror.sync()
  assert.equal(mirror.documents.size, 2)
  assert.ok(site.asked().filter(line => line.includes('/s/')).length <= 4)
})

test('a calendar that is all queries of one path gets no more than fifty of them', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', '<a href="/calendar?month=0">Calendar</a>')
  site.peer.interrupt = ({ path, query }) => {
    const month = Number(query.get('month'))
    return path === '/calendar'
      ? page(
          `<p>Month ${month}</p><a href="/calendar?month=${month + 1}">Next</a><a href="/calendar?month=${month + 20}">Much later</a>`,
        )
      : null
  }
  await mirror.sync()
  assert.equal(mirror.documents.size, 51)
})

test('redirects that go round, off the site or into a private network are not followed', async t => {
  const { site, mirror } = await connectSite(t)
  site.put(
    '/',
    ['round', 'away', 'inside', 'metadata', 'nowhere', 'a'].map(name => `<a href="/${name}">x</a>`).join(''),
  )
  site.put('/a', '<p>Text</p>')
  site.pages.set('/round', redirect('/round2'))
  site.pages.set('/round2', redirect('/round'))
  site.pages.set('/away', redirect('https://other.example/'))
  // A request to any other origin would fail the test: there is no peer for it.
  site.pages.set('/inside', redirect('http://127.0.0.1:1/secret'))
  site.pages.set('/metadata', redirect('http://169.254.169.254/latest/meta-data'))
  site.pages.set('/nowhere', redirect('not-http://x'))
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/a')])
})

test('pages that moved away after the listing are gone, and those that moved within the site are followed', async t => {
  const { site, mirror } = await connectSite(t)
  const entries = ['away', 'within', 'barred'].map(name => ({ loc: at(`/${name}`), lastmod: '2026-01-01' }))
  site.put('/', '<p>Home</p>')
  site.put('/target', '<p>Where it is now</p>')
  site.put('/private/x', '<p>Private</p>')
  site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /private'))
  site.pages.set('/sitemap.xml', sitemap(entries))
  site.pages.set('/away', redirect('https://other.example/'))
  site.pages.set('/within', redirect('/target'))
  site.pages.set('/barred', redirect('/private/x'))
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()], [at('/within')])
  assert.equal(mirror.documents.get(at('/within'))?.metadata?.url, at('/target'))
  assert.ok(!site.asked().includes('GET /private/x'))
})

test('a first page that is another website is refused, and says which', async t => {
  const { site, context } = await connectSite(t)
  site.pages.set('/', redirect('https://other.example/start'))
  await assert.rejects(
    website.check(context),
    isFailure('unexpected_reply', /redirects to https:\/\/other\.example, which is another website/),
  )
  site.pages.set('/', redirect('/'))
  await assert.rejects(website.check(context), isFailure('unexpected_reply', /redirects too often/))
})

test('a page that streams for ever, hangs the reader or breaks off fails alone, and keeps what was read before', async t => {
  const { site, mirror, context } = await connectSite(t)
  site.put('/', ['endless', 'tangle', 'short', 'good'].map(name => `<a href="/${name}">x</a>`).join(''))
  for (const name of ['endless', 'tangle', 'short', 'good']) site.put(`/${name}`, `<p>Text of ${name}</p>`)
  await mirror.sync()
  const html = { 'content-type': 'text/html' }
  site.pages.set('/endless', { headers: html, stream: pour })
  site.pages.set('/tangle', { headers: html, body: tangle })
  site.pages.set('/short', { headers: { ...html, 'content-length': '9000' }, stream: breakOff })
  site.put('/good', '<p>Better</p>')
  const counts = await mirror.sync()
  assert.deepEqual(counts, { added: 0, changed: 1, unchanged: 1, deleted: 0, failed: 3 })
  assert.match(mirror.documents.get(at('/endless'))?.text ?? '', /Text of endless/)
  assert.match(mirror.failures.get(at('/endless'))?.message ?? '', /is larger than 5242880 bytes/)
  assert.match(mirror.failures.get(at('/tangle'))?.message ?? '', /takes longer to read than/)
  assert.match(mirror.failures.get(at('/short'))?.message ?? '', /broke off/)
  assert.ok(context.messages.length >= 3)
})

function pour(response: ServerResponse): void {
  const write = () => {
    while (response.write('<p>for ever and ever</p>'.repeat(1_000)));
  }
  response.on('drain', write)
  write()
}

function breakOff(response: ServerResponse): void {
  response.write('<p>A beginning')
  setTimeout(() => response.destroy(), 20)
}

/** Quotes in quotes: each writes all lines within it once more. */
const tangle = `${'<blockquote>'.repeat(600)}${'<p>x'.repeat(20_000)}`

test('a page that answers with an error keeps its document; one that is not there or not public loses it', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', ['broken', 'gone', 'login', 'banned'].map(name => `<a href="/${name}">x</a>`).join(''))
  for (const name of ['broken', 'gone', 'login', 'banned']) site.put(`/${name}`, `<p>Text of ${name}</p>`)
  await mirror.sync()
  site.pages.set('/broken', outOfOrder)
  site.pages.set('/gone', { status: 410 })
  site.pages.set('/login', { status: 401 })
  site.pages.set('/banned', { status: 451 })
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 0, unchanged: 1, deleted: 3, failed: 1 })
  assert.match(mirror.failures.get(at('/broken'))?.message ?? '', /answered 500/)
  site.put('/broken', '<p>Repaired</p>')
  assert.equal((await mirror.sync()).changed, 1)
})

test('a site that does not answer any more ends the listing, and nothing of it counts as gone', async t => {
  const { site, context } = await connectSite(t)
  site.put('/', '<p>Home</p>')
  site.pages.set('/robots.txt', { status: 503 })
  await assert.rejects(listSource(website, context), isFailure('unavailable', /answered 503/))
  assert.deepEqual([...new Set(site.asked())], ['GET /robots.txt'])
})

test('a site that is asked too often is left alone as long as it wants, and the listing goes on where it was', async t => {
  const { site, context } = await connectSite(t)
  site.put('/', '<a href="/a">A</a><a href="/b">B</a>')
  site.put('/a', '<p>Text of a</p>')
  site.put('/b', '<p>Text of b</p>')
  const source = website.source
  assert.ok(source)
  site.pages.set('/b', tooManyRequests(120))
  const first = await source.list(context, { since: null, page: null })
  assert.deepEqual(
    first.items.map(({ id }) => id),
    [at('/'), at('/a')],
  )
  const place = { since: null, page: first.nextPage }
  await assert.rejects(source.list(context, place), (error: unknown) => {
    return error instanceof HttpFailure && error.kind === 'rate_limited' && error.retryAfterSeconds === 120
  })
  site.put('/b', '<p>Text of b</p>')
  const next = await source.list(openSite(site), place)
  assert.deepEqual([next.items.map(({ id }) => id), next.nextPage], [[at('/b')], null])
})

test('a large site of long addresses is listed in pages that another process can go on from', async t => {
  const { site } = await connectSite(t)
  const long = (number: number) => `/${String(number)}${'x'.repeat(400)}${Math.random()}`
  site.put('/', Array.from({ length: 3_000 }, (_, number) => `<a href="${long(number)}">x</a>`).join(''))
  const source = website.source
  assert.ok(source)
  const first = await source.list(openSite(site, { maxPages: 5_000 }), { since: null, page: null })
  assert.ok((first.nextPage ?? '').length < 1_000_000)
  const second = await source.list(openSite(site, { maxPages: 5_000 }), { since: null, page: first.nextPage })
  assert.notEqual(second.nextPage, first.nextPage)
})

test('long addresses are told apart', async t => {
  const { site, context } = await connectSite(t)
  const long = `/${'long'.repeat(150)}`
  site.put('/', `<a href="${long}1">1</a><a href="${long}2">2</a>`)
  site.put(`${long}1`, '<p>One</p>')
  site.put(`${long}2`, '<p>Two</p>')
  const { items } = await listSource(website, context)
  assert.equal(new Set(items.map(({ id }) => id)).size, 3)
  const contents = await Promise.all(items.slice(1).map(item => fetchItem(website, context, item)))
  assert.deepEqual(
    contents.map(content => content?.text.includes('One')),
    [true, false],
  )
})
