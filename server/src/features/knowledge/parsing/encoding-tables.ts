/** Encodings of a byte a letter that neither `TextDecoder` nor, of EBCDIC, any library reads: by tables. */

/** True where the bytes are a mainframe's: its space is `@` in ASCII, and hardly a control character stands among its letters. */
export function looksLikeEbcdic(sample: Uint8Array): boolean {
  let spaces = 0
  let asciiSpaces = 0
  let strangers = 0
  // By index: an iterator for each byte costs five times as much.
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i] ?? 0
    if (byte === 0x40) spaces += 1
    else if (byte === 0x20 || byte === 0x0a) asciiSpaces += 1
    else if (byte < 0x40 && ebcdicControls[byte] === ' ') strangers += 1
  }
  const { length } = sample
  return spaces > length / 20 && asciiSpaces < length / 100 && strangers < length / 50
}

export function isTable(label: string): label is TableLabel {
  return Object.hasOwn(tables, label)
}

export function decodeByTable(label: TableLabel, bytes: Uint8Array): string {
  const characters = tables[label]
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += bytesAtOnce) {
    const piece = bytes.subarray(start, start + bytesAtOnce)
    parts.push(Array.from(piece, byte => characters[byte] ?? ' ').join(''))
  }
  return parts.join('')
}

const bytesAtOnce = 65_536

/** Below 0x40 are control characters: tabs and the three kinds of line ends are the ones that count. */
const ebcdicControls = Array.from({ length: 0x40 }, (_, byte) => {
  if (byte === 0x05) return '\t'
  if (byte === 0x0d) return '\r'
  return byte === 0x15 || byte === 0x25 ? '\n' : ' '
})

const ascii = Array.from({ length: 0x80 }, (_, byte) => String.fromCharCode(byte))

type TableLabel = keyof typeof tables

const tables = {
  /** As code page 500 ("international"); others differ from it in brackets and a few more signs, not in letters. */
  ebcdic: [
    ...ebcdicControls,
    ...' \xa0âäàáãåçñ[.<(+!&éêëèíîïìß]$*);^-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@\'="',
    ...'Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®¢£¥·©§¶¼½¾¬|¯¨´×',
    ...'{ABCDEFGHI\xadôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ ',
  ],
  /** DOS in Western Europe. */
  cp850: [
    ...ascii,
    ...'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐',
    ...'└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0',
  ],
}
