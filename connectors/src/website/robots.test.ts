import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { outOfOrder } from '../../../server/src/testing/peers/loopback-peer.ts'
import { page, redirect, robots, sitemap } from '../../../server/src/testing/peers/website.ts'
import { HttpFailure } from '../http.ts'
import { isFailure } from '../testing/is-failure.ts'
import { fetchItem, listSource } from '../testing/run-source.ts'
import { connectSite, openSite, siteOrigin } from '../testing/website.ts'
import { website } from './connector.ts'

const at = (path: string): string => `${siteOrigin}${path}`

test('what robots.txt forbids is never asked for, not by a link and not by a sitemap', async t => {
  for (const discover of ['links', 'sitemap'] as const) {
    const { site, mirror } = await connectSite(t, { discover })
    const paths = ['/open', '/private/x', '/private/except', '/a.draft']
    site.pages.set(
      '/robots.txt',
      robots('User-agent: *', 'Disallow: /private/', 'Allow: /private/except', 'Disallow: /*.draft$'),
    )
    site.pages.set('/sitemap.xml', sitemap(paths.map(path => ({ loc: at(path), lastmod: '2026-01-01' }))))
    site.put('/', paths.map(path => `<a href="${path}">x</a>`).join(''))
    for (const path of paths) site.put(path, `<p>Text of ${path}</p>`)
    await mirror.sync()
    const ids = [...mirror.documents.keys()].sort()
    assert.deepEqual(
      ids.filter(id => id !== at('/')),
      [at('/open'), at('/private/except')],
    )
    assert.deepEqual(
      site.asked().filter(line => /\/private\/x|draft/.test(line)),
      [],
      discover,
    )
  }
})

test('rules for this program come before those for everybody', async t => {
  const { site, mirror } = await connectSite(t)
  site.pages.set(
    '/robots.txt',
    robots('User-agent: *', 'Disallow: /', '', 'User-agent: atrium', 'Disallow: /b'),
  )
  site.put('/', '<a href="/a">A</a><a href="/b">B</a>')
  site.put('/a', '<p>Text of a</p>')
  site.put('/b', '<p>Text of b</p>')
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/a')])
  assert.ok(site.peer.requests.every(({ headers }) => headers['user-agent'] === 'Atrium'))
})

test('a site that forbids everything is not connected, and says so', async t => {
  const { site, context } = await connectSite(t)
  site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /'))
  site.put('/', '<p>Home</p>')
  await assert.rejects(
    website.check(context),
    isFailure('unexpected_reply', /robots\.txt does not allow robots to read \//),
  )
  assert.deepEqual(site.asked(), ['GET /robots.txt'])
})

test('no robots.txt allows everything, a page in its place too; one that cannot be had allows nothing', async t => {
  const { site, context } = await connectSite(t)
  site.put('/', '<p>Home</p>')
  await website.check(context)
  site.pages.set('/robots.txt', page('<p>There is no robots.txt here. Disallow: /</p>'))
  await website.check(context)
  site.pages.set('/robots.txt', { status: 403 })
  await website.check(context)
  site.pages.set('/robots.txt', redirect('/rules.txt'))
  site.pages.set('/rules.txt', robots('User-agent: *', 'Disallow: /'))
  await assert.rejects(website.check(context), HttpFailure)
  site.pages.set('/robots.txt', outOfOrder)
  await assert.rejects(website.check(context), isFailure('unavailable', /answered 500/))
})

test('a page that does not want to be found is left out, by its own word or by a header, and its links count', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', '<a href="/meta">M</a><a href="/header">H</a><a href="/other">O</a><a href="/closed">C</a>')
  site.put('/meta', '<a href="/behind">Behind</a>', {
    head: '<meta name="robots" content="noindex, follow">',
  })
  site.put('/header', '<p>Text</p>', { headers: { 'x-robots-tag': 'noindex' } })
  site.put('/other', '<p>Only the other bot is meant</p>', {
    headers: { 'x-robots-tag': 'otherbot: noindex' },
  })
  site.put('/closed', '<p>Closed</p><a href="/beyond">Beyond</a>', {
    head: '<meta name="atrium" content="nofollow">',
  })
  site.put('/behind', '<p>Behind</p>')
  site.put('/beyond', '<p>Beyond</p>')
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), ['/', '/behind', '/closed', '/other'].map(at))
  assert.ok(!site.asked().includes('GET /beyond'))
})

test('the site gets one request at a time with pauses between, from all callers together', async t => {
  const { site, context } = await connectSite(t, { now: () => 0 })
  let open = 0
  let most = 0
  const paths = Array.from({ length: 8 }, (_, number) => `/p${number}`)
  site.put('/', paths.map(path => `<a href="${path}">x</a>`).join(''))
  for (const path of paths) {
    const reply = page(`<p>Text of ${path}</p>`)
    site.pages.set(path, {
      ...reply,
      stream: response => {
        open += 1
        most = Math.max(most, open)
        void sleep(10).then(() => {
          open -= 1
          response.end(reply.body)
        })
      },
    })
  }
  const { items } = await listSource(website, context)
  const before = context.pauses.length
  await Promise.all(items.map(item => fetchItem(website, context, item)))
  assert.equal(most, 1)
  assert.equal(context.pauses.length - before, items.length)
  assert.ok(context.pauses.every(ms => ms === 200))
})

test('a rest that robots.txt asks for is kept, and one that is too long is refused', async t => {
  const { site, context } = await connectSite(t, { now: () => 0 })
  site.put('/', '<a href="/a">A</a>')
  site.put('/a', '<p>Text of a</p>')
  site.pages.set('/robots.txt', robots('User-agent: *', 'Crawl-delay: 7'))
  const { items } = await listSource(website, context)
  assert.ok(context.pauses.includes(7_000))
  context.pauses.length = 0
  for (const item of items) await fetchItem(website, context, item)
  assert.ok(context.pauses.every(ms => ms === 7_000))
  site.pages.set('/robots.txt', robots('User-agent: *', 'Crawl-delay: 3600'))
  await assert.rejects(
    website.check(context),
    isFailure('unexpected_reply', /asks for 3600 s between two requests/),
  )
})

test('rules that change during a visit count from then on', async t => {
  const { site } = await connectSite(t)
  const paths = Array.from({ length: 60 }, (_, number) => `/p${number}`)
  site.put('/', paths.map(path => `<a href="${path}">x</a>`).join(''))
  for (const path of paths) site.put(path, `<p>Text of ${path}</p>`)
  const first = await website.source?.list(openSite(site), { since: null, page: null })
  site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /p5'))
  const second = await website.source?.list(openSite(site), { since: null, page: first?.nextPage ?? null })
  const third = await website.source?.list(openSite(site), { since: null, page: second?.nextPage ?? null })
  assert.equal(third?.nextPage, null)
  assert.deepEqual(
    site.asked().filter(line => /\/p5\d/.test(line)),
    [],
  )
})

test('a sitemap of another host, or one that leads to an address that may not be reached, is as good as none', async t => {
  const { site, mirror, context } = await connectSite(t)
  site.put('/', '<p>Home</p>')
  const elsewhere = [
    'https://other.example/s.xml',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    '/inside.xml',
  ]
  site.pages.set('/robots.txt', robots(...elsewhere.map(address => `Sitemap: ${address}`)))
  site.pages.set('/inside.xml', redirect('http://169.254.169.254/latest'))
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()], [at('/')])
  assert.equal(context.messages.length, 1)
})

test('rules that break off allow nothing', async t => {
  const { site, context } = await connectSite(t)
  site.put('/', '<p>Home</p>')
  site.pages.set('/robots.txt', {
    headers: { 'content-type': 'text/plain', 'content-length': '9000' },
    stream: response => {
      response.write('User-agent: *')
      setTimeout(() => response.destroy(), 20)
    },
  })
  await assert.rejects(website.check(context), isFailure('unavailable', /broke off/))
})
