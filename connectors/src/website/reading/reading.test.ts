import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Node, parseHtml } from '../../html.ts'
import { mainTextOf } from './main-text.ts'
import { markdownOf } from './markdown.ts'
import { read } from './reader.ts'

const readHtml = (html: string | Uint8Array<ArrayBuffer>, contentType = 'text/html') =>
  read({
    kind: 'page',
    contentType,
    url: 'https://docs.example.com/guide/page',
    bytes: typeof html === 'string' ? new TextEncoder().encode(html) : html,
  })

const textOf = async (body: string): Promise<string> =>
  (await readHtml(`<body><main>${body}</main></body>`)).text

test('headings, lists, tables, code, quotes and notes become Markdown', async () => {
  const text = await textOf(`<h1>Title <a href="#t">#</a></h1>
    <h2 id="x">Part</h2><p>Some <b>bold</b> and <code>npm i</code> with <a href="/x">a link</a>.</p>
    <ol start="3"><li>three<li><p>four</p><ul><li>below</li></ul></li></ol>
    <table><caption>Prices</caption><thead><tr><th>Name<th>Price</thead><tr><td>a|b<td><p>1</p><p>2</p></table>
    <pre class="language-ts"><code>const a = 1
const b = \`x\`</code></pre>
    <blockquote><p>Said</p><p>twice</p></blockquote><dl><dt>Term</dt><dd>Meaning</dd></dl>
    <aside class="note"><p>Mind the gap</p></aside><figure><img alt="A map" src="m.png"><figcaption>Figure 1</figcaption></figure>`)
  assert.equal(
    text,
    `# Title

## Part

Some bold and \`npm i\` with a link.

3. three
4. four

   - below

Prices

| Name | Price |
| --- | --- |
| a\\|b | 1 2 |

\`\`\`ts
const a = 1
const b = \`x\`
\`\`\`

> Said
>
> twice

Term

Meaning

Mind the gap

A map

Figure 1`,
  )
})

test('what looks like Markdown in a text stays text', async () => {
  assert.equal(
    await textOf(
      '<p># no heading<br>- no item<br>1. no number<br>&lt;div&gt; *x* [y](z) &amp;amp; snake_case _x_</p>',
    ),
    '\\# no heading\n\\- no item\n1\\. no number\n\\<div> \\*x\\* \\[y\\](z) \\&amp; snake_case \\_x\\_',
  )
})

const menu =
  '<ul class="links"><li><a href="/1">One thing</a><li><a href="/2">Another thing</a><li><a href="/3">Third thing</a></ul>'
const story = `<h1>The page</h1>${'<p>Long enough to be what the page is about, and not what stands around it.</p>'.repeat(3)}`

test('the main text is found in pages of many kinds, without what stands around it', async () => {
  const kinds = {
    main: `<header>Banner</header><nav>${menu}</nav><main><nav>Where you are</nav>${story}<div class="pagination"><a href="/n">Next page</a></div></main><footer>Imprint</footer>`,
    role: `<div class="top">Banner</div><div role="main">${story}<div role="navigation">Where</div></div>`,
    article: `<div id="sidebar">${menu}</div><article>${story}<div class="share-buttons">Share</div></article><div class="related">Related</div>`,
    sphinx: `<div class="sphinxsidebar" role="navigation">${menu}</div><div class="document"><div class="body" role="main">${story}</div></div>`,
    wordpress: `<div id="page"><div id="header" role="banner">Banner</div><div class="entry-content">${story}</div><div id="comments">Comments</div></div>`,
    nothing: `<div class="a"><div class="b">${menu}</div><div>${story}</div><div class="cookie-consent">Cookies</div><div class="footer">Imprint</div></div>`,
    table: `<table><tr><td>${menu}</td><td>${story}</td></tr></table>`,
    hidden: `<main>${story}<div hidden>Hidden</div><div style="display: none">Hidden</div><div aria-hidden="true">Hidden</div><script>Script</script><noscript>Noscript</noscript></main>`,
    form: `<form id="aspnet"><input value="Input"><main>${story}<button>Button</button></main></form>`,
  }
  for (const [kind, body] of Object.entries(kinds)) {
    const { text, title } = await readHtml(
      `<!doctype html><title>The page – Example</title><body>${body}</body>`,
    )
    assert.equal(title, 'The page', kind)
    assert.match(text, /^# The page\n\nLong enough/, kind)
    assert.doesNotMatch(
      text,
      /Banner|thing|Where|Next page|Imprint|Share|Related|Comments|Cookies|Hidden|Script|Button|Input/,
      kind,
    )
  }
})

test('a list of articles is the page, and a class that sounds like a menu does not empty it', async () => {
  const list = await readHtml(
    '<body><article><h2>One</h2><p>First</p></article><article><h2>Two</h2><p>Second</p></article></body>',
  )
  assert.match(list.text, /## One\n\nFirst\n\n## Two\n\nSecond/)
  const odd = await readHtml(`<body><main><div class="sidebar">${story}</div><p>Short</p></main></body>`)
  assert.match(odd.text, /Long enough/)
})

test('a page tells its author, its dates, its original, and what robots may do', async () => {
  const reading =
    await readHtml(`<head><base href="/base/"><link rel="canonical" href="https://docs.example.com/original">
    <meta property="article:published_time" content="2026-01-02T03:04:05Z"><meta name="author" content="Ada">
    <meta name="robots" content="NOINDEX, nofollow"></head><a href="x#y">1</a><a href="x">2</a><a href="mailto:a@b.c">3</a><a href="javascript:void(0)">4</a>`)
  assert.equal(reading.canonical, 'https://docs.example.com/original')
  assert.deepEqual([reading.author, reading.publishedAt], ['Ada', '2026-01-02T03:04:05.000Z'])
  assert.deepEqual([reading.isIndexable, reading.areLinksFollowed], [false, false])
  assert.deepEqual(reading.links, ['https://docs.example.com/base/x'])
})

test('pages are read in the charset that they or their replies name, and without one as UTF-8', async () => {
  const latin = Uint8Array.from(Buffer.from('<meta charset="iso-8859-1"><p>Größe', 'latin1'))
  assert.match((await readHtml(latin)).text, /Größe/)
  assert.match((await readHtml(latin, 'text/html; charset=windows-1252')).text, /Größe/)
  const unknown = new TextEncoder().encode('<meta charset="nonsense"><p>Größe')
  assert.match((await readHtml(unknown, 'text/html; charset=x-unknown')).text, /Größe/)
})

test('whatever is thrown at it, the reader answers in time, and reads the next page', async () => {
  const attributes = `<a ${Array.from({ length: 300_000 }, (_, number) => `a${number}`).join(' ')}>`
  const deep = '<div>'.repeat(100_000)
  for (const hostile of [
    attributes,
    deep,
    '<'.repeat(1_000_000),
    '<!--'.repeat(100_000),
    '\0'.repeat(1_000_000),
  ]) {
    await readHtml(hostile).catch(() => undefined)
  }
  assert.equal(await textOf('<p>Next</p>'), 'Next')
})

test('a page nested a hundred thousand deep is read in its order, without its invisible elements', async () => {
  const level = (number: number) =>
    `<div>${number} <b hidden>no</b><script>no</script><blockquote></blockquote>`
  const levels = Array.from({ length: 50_000 }, (_, number) => level(number))
  const words = (await textOf(`${levels.join('')}<i>the <b>middle</i></b>`)).split(/\s+/)
  assert.deepEqual(words, [...levels.keys()].map(String).concat('the', 'middle'))
})

test('a table of 150,000 rows and a code of as many ticks are read', () => {
  const rows = markdownOf(parseHtml(`<table>${'<tr><td>1<td>23'.repeat(150_000)}</table>`)).split('\n')
  assert.deepEqual(rows.slice(0, 3), ['| 1 | 23 |', '| --- | --- |', '| 1 | 23 |'])
  assert.equal(rows.length, 150_001)
  assert.match(markdownOf(parseHtml(`<pre>${'` '.repeat(150_000)}</pre>`)), /^```\n(` ){100}/)
})

test('a page whose elements nest twice as deep takes twice the steps to read', () => {
  for (const tag of ['div', 'ul><li', 'div class=toc', 'blockquote', 'table><tr><td']) {
    const once = stepsToRead(`<${tag}>${story}`.repeat(100))
    const twice = stepsToRead(`<${tag}>${story}`.repeat(200))
    assert.ok(twice <= 2 * once + 50, `${tag}: ${once} and ${twice}`)
  }
})

/** How often the reader looks at the children of an element. */
function stepsToRead(html: string): number {
  let steps = 0
  const page = parseHtml(html)
  const waiting: Node[] = [page]
  for (const node of waiting) {
    if (!('childNodes' in node)) continue
    let { childNodes } = node
    waiting.push(...childNodes)
    Object.defineProperty(node, 'childNodes', {
      get: () => {
        steps += 1
        return childNodes
      },
      set: (kept: typeof childNodes) => {
        childNodes = kept
      },
    })
  }
  markdownOf(mainTextOf(page))
  return steps
}

test('a sitemap is read as far as it is sound; one that unpacks for ever is refused', async () => {
  const sitemap = (text: string) => read({ kind: 'sitemap', bytes: new TextEncoder().encode(text) })
  const broken =
    '<urlset><url><loc>https://x.example/a?b=1&amp;c=2</loc></url><url><loc>https://x.example/b</loc>'
  assert.deepEqual(
    (await sitemap(broken)).pages.map(({ address }) => address),
    ['https://x.example/a?b=1&c=2'],
  )
  assert.deepEqual((await sitemap('https://x.example/a\n\nhttps://x.example/b\n')).pages.length, 2)
  assert.deepEqual(await sitemap('<html><body>Not found</body></html>'), { pages: [], sitemaps: [] })
  const bomb = new Response(
    new Blob([new Uint8Array(60 * 1024 * 1024)]).stream().pipeThrough(new CompressionStream('gzip')),
  )
  await assert.rejects(read({ kind: 'sitemap', bytes: new Uint8Array(await bomb.arrayBuffer()) }))
})
