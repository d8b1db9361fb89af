import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHtml } from './html.ts'

const kibibytes = (text: string, count: number): string =>
  text.repeat(Math.ceil((count * 1_024) / text.length)).slice(0, count * 1_024)

const elements = '<p class="a b c d" id=e>1'.repeat(100_000)
const numbered = (write: (number: number) => string): string =>
  Array.from({ length: 100_000 }, (_, number) => write(number)).join('')

test('a hostile sheet of styles, and a page of 100,000 elements under it, are read in five seconds of a processor', () => {
  const zeros = '0'.repeat(450)
  const sheets: Record<string, string> = {
    'one selector, without an end': kibibytes('a b>c+d~e:is(f,g)[h="i"] ', 1_024),
    'many names, one rule': `${numbered(number => `.a${number},`)}p{opacity:0}`,
    'many selectors and many declarations': `${kibibytes('.a,', 512)}p{${kibibytes('opacity:0;left:-9px;', 512)}}`,
    'many rules of many properties': numbered(number => `.a${number}{opacity:0;left:1px;top:1px}`),
    'rules for the same class': kibibytes('.a{opacity:0}.b{left:1px}', 1_024),
    'a state for each class': numbered(number => `.on .a${number}:hover,.b.a${number}{display:block}`),
    'long figures': `.a{transform:scale(${zeros}x);font:${zeros}x/1 b}`.repeat(2_000),
    'open blocks': kibibytes('@media screen{', 1_024),
    'open blocks of other conditions': kibibytes('@media print{a{', 1_024),
    'open strings': kibibytes('"', 1_024) + kibibytes("'\n", 1_024),
    'open comments': kibibytes('/*', 1_024),
    'open comments of HTML': kibibytes('<!--', 1_024),
    escapes: kibibytes('\\61 ', 1_024),
    blanks: `.a{opacity:${kibibytes(' ', 1_024)}0}${kibibytes(' ', 1_024)}`,
  }
  for (const [name, sheet] of Object.entries(sheets)) {
    let seconds = Number.POSITIVE_INFINITY
    // A busy machine makes single rounds several times as dear.
    for (let round = 0; round < 3 && seconds >= 5; round++) {
      const before = process.cpuUsage()
      parseHtml(`<style>${sheet}</style>${elements}`)
      const { user, system } = process.cpuUsage(before)
      seconds = Math.min(seconds, (user + system) / 1_000_000)
    }
    assert.ok(seconds < 5, `${name}: ${seconds} s`)
  }
})
