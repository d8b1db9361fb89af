/** The groups of an RTF document, and what they decide: where text goes, and in which code page its bytes are. */
import iconv from 'iconv-lite'
import { ParseFailure } from '../failure.ts'

/** Where the text of a group goes: to the body, to a table of the document, to the title, or nowhere. */
export type Destination = 'body' | 'fonts' | 'styles' | 'title' | 'nowhere'

/** The state that a group inherits from the group around it, and that ends with the group. */
export type Group = {
  destination: Destination
  font: number
  isHidden: boolean
  /** True within a note. A note is read at the place that refers to it. */
  isNote: boolean
  /** The number of signs behind `\u` that are for programs without Unicode. */
  fallbackSigns: number
}

const maxDepth = 1_000

/** `say` gets each text before the state changes for the text after it. */
export function createGroups(say: (text: string, group: Group) => void) {
  const fonts = new Map<number, number>()
  const outer: Group[] = []
  let group: Group = { destination: 'body', font: 0, isHidden: false, isNote: false, fallbackSigns: 1 }
  let codePage = 'windows-1252'
  let signsToSkip = 0
  let pending: Buffer[] = []

  const decode = (bytes: Buffer): string => {
    const charset = fonts.get(group.font)
    if (charset === symbolCharset) return bytes.includes(0xb7) || bytes.includes(0xa7) ? '• ' : ' '
    return decodeCodePage(bytes, (charset === undefined ? null : fontCharset(charset)) ?? codePage)
  }

  /** A letter of several bytes may be written in several tokens, so the bytes are decoded together. */
  const flush = (): void => {
    if (pending.length === 0) return
    const bytes = Buffer.concat(pending)
    pending = []
    say(decode(bytes), group)
  }

  return {
    flush,
    current: (): Group => group,
    open(): void {
      flush()
      if (outer.length >= maxDepth) throw new ParseFailure('corrupt', 'The groups of the file lie too deep.')
      outer.push(group)
      group = { ...group }
      signsToSkip = 0
    },
    close(): void {
      flush()
      const around = outer.pop() ?? group
      if (group.isNote && !around.isNote) say('] ', group)
      group = around
      signsToSkip = 0
    },
    addBytes(bytes: Buffer): void {
      const skipped = Math.min(signsToSkip, bytes.length)
      signsToSkip -= skipped
      if (group.destination !== 'nowhere' && group.destination !== 'fonts')
        pending.push(bytes.subarray(skipped))
    },
    addUnicode(value: number): void {
      flush()
      say(String.fromCharCode(value & 0xffff), group)
      signsToSkip = group.fallbackSigns
    },
    /** True if a word only repeats a sign that was there as Unicode. */
    takeFallback(): boolean {
      if (signsToSkip === 0) return false
      signsToSkip -= 1
      return true
    },
    setCodePage(number: number | null): void {
      codePage = (number === null ? null : codePageLabel(number)) ?? codePage
    },
    setFontCharset(charset: number): void {
      if (group.destination === 'fonts') fonts.set(group.font, charset)
    },
  }
}

// The code pages of RTF: what the numbers of `\ansicpg` and `\fcharset` stand for, and how their bytes are read.

/** The label of a Windows or DOS code page; null if the number is not known. */
function codePageLabel(codePage: number): string | null {
  return labels[codePage] ?? (iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : null)
}

/**
 * The encoding of a font's character set; null if the document's code page decides. Western fonts are named in
 * documents of any language.
 */
const fontCharset = (charset: number): string | null => fontCharsets[charset] ?? null

/** The character set of fonts whose letters are pictures. */
const symbolCharset = 2

function decodeCodePage(bytes: Buffer, label: string): string {
  // `TextDecoder` does not read DOS code pages.
  return label.startsWith('cp') ? iconv.decode(bytes, label) : new TextDecoder(label).decode(bytes)
}

const labels: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1250: 'windows-1250',
  1251: 'windows-1251',
  1252: 'windows-1252',
  1253: 'windows-1253',
  1254: 'windows-1254',
  1255: 'windows-1255',
  1256: 'windows-1256',
  1257: 'windows-1257',
  1258: 'windows-1258',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  54936: 'gb18030',
  65001: 'utf-8',
}

const fontCharsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  254: 'cp437',
  255: 'cp850',
}
