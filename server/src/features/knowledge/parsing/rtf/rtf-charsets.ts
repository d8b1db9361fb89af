/** The code pages of RTF: what the numbers of `\ansicpg` and `\fcharset` stand for, and how their bytes are read. */
import iconv from 'iconv-lite'

/** A code page of Windows or DOS by its number; null of one that is not known. */
export function codePageLabel(codePage: number): string | null {
  return labels[codePage] ?? (iconv.encodingExists(`cp${codePage}`) ? `cp${codePage}` : null)
}

/**
 * The encoding of a font's character set; null where that leaves it to the document: Western fonts are named in
 * documents of any language.
 */
export const fontCharset = (charset: number): string | null => fontCharsets[charset] ?? null

/** The character set of fonts whose letters are pictures. */
export const symbolCharset = 2

export function decodeCodePage(bytes: Buffer, label: string): string {
  // DOS code pages are what `TextDecoder` does not read.
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
