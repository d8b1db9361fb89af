import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import { zipOf } from '../../../../testing/knowledge/sample-files.ts'
import { ParseFailure, type ParseFailureCode } from '../failure.ts'

const container =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'

const chapter = (content: string): string =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body>${content}</body></html>`

function epubOf(more: Record<string, string> = {}): Buffer {
  const item = (id: string, properties = ''): string =>
    `<item id="${id}" href="text/${id}.xhtml" properties="${properties}"/>`
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': container,
    'OPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A book</dc:title></metadata><manifest>${item('b')}${item('a')}${item('toc', 'nav')}</manifest><spine><itemref idref="toc"/><itemref idref="a"/><itemref idref="b"/><itemref idref="missing"/></spine></package>`,
    'OPS/text/a.xhtml': chapter('<h1>First</h1><p>One.</p>'),
    'OPS/text/b.xhtml': chapter('<h1>Second</h1><p>Two.</p>'),
    'OPS/text/toc.xhtml': chapter('<ol><li>First</li></ol>'),
    ...more,
  })
}

const failsAs = (code: ParseFailureCode) => (error: unknown) =>
  error instanceof ParseFailure && error.code === code

test('chapters come in the order of reading, under the title of the book', async () => {
  const document = await readDocument(epubOf())
  assert.deepEqual(blocksOf(document), [
    'heading1: First',
    'paragraph: One.',
    'heading1: Second',
    'paragraph: Two.',
  ])
  assert.equal(document.title, 'A book')
})

test('a book whose chapters are encrypted fails as encrypted, one with encrypted fonts is read', async () => {
  const encryption = (uri: string): Record<string, string> => ({
    'META-INF/encryption.xml': `<encryption><e:EncryptedData xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:CipherData><e:CipherReference URI="${uri}"/></e:CipherData></e:EncryptedData></encryption>`,
  })
  await assert.rejects(readDocument(epubOf(encryption('OPS/text/a.xhtml'))), failsAs('encrypted'))
  assert.match((await readDocument(epubOf(encryption('OPS/font.otf')))).text, /Two\./)
})

test('a book without its list of chapters fails as corrupt', async () => {
  await assert.rejects(
    readDocument(epubOf({ 'META-INF/container.xml': container.replace('book', 'other') })),
    failsAs('corrupt'),
  )
})
