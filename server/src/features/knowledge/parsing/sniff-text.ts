/** Which kind of text a text is: by the shapes that nothing else has, and else by the name's ending. */
import { extname } from 'node:path'
import type { Format, Sniffed } from './formats.ts'

/** `raw` is the beginning of the file, with its letters beyond ASCII as they come. */
export function sniffText(raw: string, name: string): Sniffed {
  const start = raw
    .replace(/^(\ufeff|ï»¿|\ufffe)/, '')
    .trimStart()
    .slice(0, 4_096)
  const named = formatsByEnding[extname(name).toLowerCase()] ?? 'text'
  return shapes.find(({ fits }) => fits(start, named))?.is ?? { format: named }
}

/** The first that fits decides; `named` is what the name says. */
const shapes: readonly { fits: (start: string, named: Format) => boolean; is: Sniffed }[] = [
  { fits: start => /^From \S.*\d{4}.*\r?\n>?[A-Za-z][\w-]*:/.test(start), is: { format: 'mbox' } },
  { fits: start => isMail(start) && isSavedPage(start), is: { format: 'mhtml' } },
  { fits: isMail, is: { format: 'mail' } },
  { fits: start => /^BEGIN:VCALENDAR\s/i.test(start), is: { format: 'calendar' } },
  { fits: start => /^WEBVTT(?:\s|$)/.test(start), is: { format: 'subtitles' } },
  {
    fits: start => /^\d{1,6}\s*\n\d\d:\d\d:\d\d[,.]\d{3} --> \d\d:/.test(start),
    is: { format: 'subtitles' },
  },
  { fits: start => /^<!doctype html|^<html[\s>]/i.test(start), is: { format: 'html' } },
  { fits: start => start.startsWith('<?xml') && /<html[\s>]/i.test(start), is: { format: 'html' } },
  { fits: start => start.startsWith('<?xml'), is: { format: 'xml' } },
  { fits: (start, named) => hasMarkup(start) && !keepMarkup.has(named), is: { format: 'html' } },
]

/** A message begins with headers, one of them of a kind that nothing else has. */
function isMail(start: string): boolean {
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1)
  return (
    /^[A-Za-z][\w-]*: /.test(start) &&
    /^(received|message-id|mime-version|return-path|delivered-to): /im.test(headers) &&
    /^(from|to|subject|date): /im.test(headers)
  )
}

/** Browsers save a page and its pictures as if it were mail. */
const isSavedPage = (start: string): boolean =>
  /^(from: <saved by |snapshot-content-location: )/im.test(start)

const hasMarkup = (start: string): boolean =>
  start.startsWith('<') && /<(head|body|title|p|div|h[1-6]|table|ul)[\s>]/i.test(start)

const keepMarkup: ReadonlySet<Format> = new Set(['markdown', 'xml', 'lines'])

const sourceCodeEndings =
  'c cc cpp cs css dart ex exs go graphql h hpp hs ini java jl js jsx kt lua m mjs php pl properties proto ps1 py r rb rs scala scss sh sql swift tf toml ts tsx vue yaml yml zig'

const formatsByEnding: Readonly<Record<string, Format>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.htm': 'html',
  '.html': 'html',
  '.xhtml': 'html',
  '.xml': 'xml',
  '.json': 'json',
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.eml': 'mail',
  '.mht': 'mhtml',
  '.mhtml': 'mhtml',
  '.ics': 'calendar',
  '.srt': 'subtitles',
  '.vtt': 'subtitles',
  '.csv': 'csv',
  '.tsv': 'csv',
  ...Object.fromEntries(sourceCodeEndings.split(' ').map(ending => [`.${ending}`, 'lines' as const])),
}
