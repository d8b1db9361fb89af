import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirect, robots, sitemap, sitemapIndex } from '../../../server/src/testing/peers/website.ts'
import { connectSite, siteOrigin } from '../testing/website.ts'

const at = (path: string): string => `${siteOrigin}${path}`

test('without a sitemap, pages are found by their links, within the site, each read as its main text', async t => {
  const { site, mirror } = await connectSite(t)
  site.put(
    '/',
    '<p>Welcome.</p><a href="guide/install#steps">Install</a> <a href="https://other.example/">Away</a>',
  )
  site.put('/guide/install', '<p>Run the installer.</p><a href="../about">About</a><img src="/logo.png">', {
    title: 'Install',
    head: '<meta name="author" content="Ada Lovelace"><meta property="article:modified_time" content="2026-02-03T04:05:06+01:00">',
  })
  site.put(
    '/about',
    '<p>We make things.</p><a href="/report.pdf">Report</a><a rel="nofollow" href="/login">Log in</a>',
  )
  site.put('/login', '<p>Who are you?</p>')
  assert.deepEqual(await mirror.sync(), { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/about'), at('/guide/install')])
  const install = mirror.documents.get(at('/guide/install'))
  assert.equal(install?.text, '# Install\n\nRun the installer.\n\nAbout')
  assert.deepEqual(
    [install?.title, install?.fileName, install?.mediaType],
    ['Install', 'install.md', 'text/markdown'],
  )
  assert.deepEqual(install?.metadata, {
    url: at('/guide/install'),
    readers: ['everyone'],
    author: 'Ada Lovelace',
    updatedAt: '2026-02-03T03:05:06.000Z',
  })
  const asked = site.asked()
  for (const path of ['/logo.png', '/report.pdf', '/login', '/made-by-script']) {
    assert.ok(!asked.includes(`GET ${path}`), path)
  }
})

test('what changes is fetched again, what is gone is deleted, what is the same is left alone', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', '<a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>')
  for (const name of ['a', 'b', 'c']) site.put(`/${name}`, `<p>Text of ${name}</p>`)
  await mirror.sync()
  site.put('/b', '<p>Another text</p>')
  site.pages.delete('/c')
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 1, unchanged: 2, deleted: 1, failed: 0 })
  assert.deepEqual(mirror.fetched, [at('/b')])
  assert.match(mirror.documents.get(at('/b'))?.text ?? '', /Another text/)
})

test('pages that only an unreadable page leads to stay, and what is really gone is deleted', async t => {
  const { site, mirror } = await connectSite(t)
  site.put('/', '<a href="/index">Index</a><a href="/old">Old</a>')
  site.put('/index', '<p>All</p><a href="/deep">Deep</a><a href="/kept-out">Kept out</a>')
  for (const name of ['old', 'deep', 'kept-out']) site.put(`/${name}`, `<p>Text of ${name}</p>`)
  await mirror.sync()
  const index = site.pages.get('/index')
  assert.ok(index)
  site.pages.set('/index', { status: 500 })
  site.pages.delete('/old')
  site.pages.set('/robots.txt', robots('User-agent: *', 'Disallow: /kept-out'))
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/deep'), at('/index')])
  site.pages.set('/index', index)
  site.pages.delete('/deep')
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/index')])
})

test('a sitemap names the pages, through an index and zipped; its dates tell what to fetch', async t => {
  const { site, mirror } = await connectSite(t)
  const entries = ['a', 'b', 'c'].map(name => ({ loc: at(`/${name}`), lastmod: '2026-01-01' }))
  for (const name of ['a', 'b', 'c']) site.put(`/${name}`, `<p>Text of ${name}</p><a href="/unlisted">U</a>`)
  site.put('/', '<p>Home</p>')
  site.pages.set('/robots.txt', robots('User-agent: *', 'Allow: /', `Sitemap: ${at('/maps/index.xml')}`))
  site.pages.set('/maps/index.xml', sitemapIndex([at('/maps/pages.xml.gz'), at('/maps/missing.xml')]))
  site.pages.set(
    '/maps/pages.xml.gz',
    sitemap([...entries, { loc: 'https://other.example/x' }], { zipped: true }),
  )
  assert.deepEqual(await mirror.sync(), { added: 3, changed: 0, unchanged: 0, deleted: 0, failed: 0 })
  assert.deepEqual(mirror.documents.get(at('/a'))?.metadata?.updatedAt, '2026-01-01T00:00:00.000Z')
  site.asked()

  const [a, b] = entries
  assert.ok(a && b)
  site.put('/b', '<p>Another text</p>')
  site.pages.set('/maps/pages.xml.gz', sitemap([a, { ...b, lastmod: '2026-02-01' }], { zipped: true }))
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 1, unchanged: 1, deleted: 1, failed: 0 })
  const pages = site.asked().filter(line => !/robots|maps/.test(line))
  assert.deepEqual(pages, ['GET /', 'GET /b'])
})

test('a sitemap without dates is not the reason to read everything: the pages are asked whether they changed', async t => {
  const { site, mirror } = await connectSite(t, { discover: 'sitemap' })
  site.put('/', '<p>Home</p>')
  site.put('/a', '<p>Text of a</p>', { headers: { etag: '"1"' } })
  site.put('/b', '<p>Text of b</p>', { headers: { 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT' } })
  site.put('/c', '<p>Text of c</p>')
  site.pages.set('/sitemap.xml', sitemap(['a', 'b', 'c'].map(name => ({ loc: at(`/${name}`) }))))
  assert.equal((await mirror.sync()).added, 3)
  assert.equal(mirror.documents.get(at('/b'))?.metadata?.updatedAt, '2015-10-21T07:28:00.000Z')
  site.asked()
  site.put('/a', '<p>Newer</p>', { headers: { etag: '"2"' } })
  assert.deepEqual(await mirror.sync(), { added: 0, changed: 1, unchanged: 2, deleted: 0, failed: 0 })
  assert.deepEqual(
    site.asked().filter(line => line.endsWith('/b') || line.endsWith('/a')),
    ['HEAD /a', 'HEAD /b', 'GET /a'],
  )
})

test('only the part of the site that is wanted is read', async t => {
  const { site, mirror } = await connectSite(t, { url: at('/guide/'), exclude: ['/guide/old', '/*/print'] })
  site.put(
    '/guide/',
    '<a href="/guide/a">A</a><a href="/guide/old/x">X</a><a href="/guide/a/print">P</a><a href="/guidelines">L</a><a href="/">H</a>',
  )
  for (const path of ['/guide/a', '/guide/old/x', '/guide/a/print', '/guidelines', '/']) {
    site.put(path, `<p>Text of ${path}</p>`)
  }
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/guide/'), at('/guide/a')])
})

test('one page is one document, however it is linked', async t => {
  const { site, mirror } = await connectSite(t, {
    alsoAt: ['https://www.docs.example.com', 'http://docs.example.com'],
  })
  site.put(
    '/',
    [
      '<a href="/a?utm_source=mail">1</a><a href="/a#part">2</a><a href="http://docs.example.com/a">3</a>',
      '<a href="https://www.docs.example.com//a">4</a><a href="/a?b=2&a=1">5</a><a href="/a?a=1&b=2">6</a>',
      '<a href="/moved">7</a><a href="/copy">8</a><a href="/same">9</a><a href="/refresh">10</a>',
    ].join(''),
  )
  site.put('/a', '<p>Text of a</p>')
  site.put('/a?a=1&b=2', '<p>Text of the query</p>')
  site.pages.set('/moved', redirect('/a'))
  site.put('/refresh', '<p>Redirecting</p>', { head: '<meta http-equiv="refresh" content="0; URL=\'/a\'">' })
  site.put('/copy', '<p>Text of a, to print</p>', { head: '<link rel="canonical" href="/a">' })
  site.put('/same', '<p>Text of a</p>', { title: 'a' })
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [at('/'), at('/a'), at('/a?a=1&b=2')])
  assert.equal(site.asked().filter(line => line === 'GET /a').length, 2)
})

test('a first page that moved within the site is followed, to https and to www too', async t => {
  const { site, mirror } = await connectSite(t, {
    url: 'http://example.com/',
    alsoAt: ['http://example.com', 'https://www.example.com'],
  })
  let hops = 0
  site.peer.interrupt = ({ path }) => {
    if (path !== '/' || hops >= 1) return null
    hops += 1
    return redirect('https://www.example.com/')
  }
  site.put('/', '<p>Home</p><a href="http://example.com/a">A</a>')
  site.put('/a', '<p>Text</p>')
  await mirror.sync()
  assert.deepEqual([...mirror.documents.keys()].sort(), [
    'https://www.example.com/',
    'https://www.example.com/a',
  ])
})

test('files that pages link to are read where they are wanted', async t => {
  const { site, mirror } = await connectSite(t, { documents: true })
  site.put('/', '<a href="/report.pdf">Report</a><a href="/notes.txt">Notes</a><a href="/film.mp4">Film</a>')
  site.pages.set('/report.pdf', {
    headers: { 'content-type': 'application/pdf', etag: '"1"' },
    body: '%PDF-1.7',
  })
  site.pages.set('/notes.txt', { headers: { 'content-type': 'text/plain' }, body: 'Notes' })
  await mirror.sync()
  const report = mirror.documents.get(at('/report.pdf'))
  assert.deepEqual(
    [report?.fileName, report?.mediaType, report?.text],
    ['report.pdf', 'application/pdf', '%PDF-1.7'],
  )
  assert.equal(mirror.documents.get(at('/notes.txt'))?.text, 'Notes')
  assert.equal((await mirror.sync()).unchanged, 3)
  assert.ok(!site.asked().includes('GET /film.mp4'))
})
