/** The encoding of names in an archive that does not state it: the one in which all of them together look like words. */
import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { type Candidate, candidates, decodeStrictly, scoreOfText } from '../parsing/encoding.ts'

/** The code pages of DOS, each beside the page of Windows for the same languages. */
const dosPages: Readonly<Record<string, string>> = {
  cp850: 'windows-1252',
  cp437: 'windows-1252',
  cp852: 'windows-1250',
  cp775: 'windows-1257',
  cp857: 'windows-1254',
  cp737: 'windows-1253',
  cp862: 'windows-1255',
  cp720: 'windows-1256',
}

const decodersOfPages = new Map(
  Object.keys(dosPages).map(label => [label, (bytes: Uint8Array) => iconv.decode(Buffer.from(bytes), label)]),
)

const malus = { ofWindows: 0.1, ofOthers: 0.2 }

/** Pages that DOS knows too are written by each program for Windows. */
const isDosPage = (label: string): boolean =>
  /^(ibm866|shift_jis|gb18030|big5|euc-kr|windows-874)$/.test(label)

function penaltyOf(label: string, isDos: boolean): number {
  if (isDosPage(label)) return 0
  if (!label.startsWith('windows-')) return malus.ofOthers
  return isDos ? malus.ofWindows : 0
}

/** Returns what decodes the names. `isDos` says that a program of DOS or Windows has packed them. */
export function nameDecoderFor(sample: Uint8Array, isDos: boolean): (bytes: Uint8Array) => string {
  if (isUtf8(sample)) return bytes => new TextDecoder().decode(bytes)
  let best = { score: Number.NEGATIVE_INFINITY, decode: latin1 }
  const judge = (candidate: Candidate, text: string | null, penalty: number, decode: typeof latin1): void => {
    if (text === null) return
    const score = scoreOfText(text, candidate) - penalty - oddShareOf(text)
    if (score > best.score) best = { score, decode }
  }
  for (const candidate of candidates) {
    const { label } = candidate
    if (label in dosPages) continue
    const decode = (bytes: Uint8Array): string => new TextDecoder(label).decode(bytes)
    judge(candidate, decodeStrictly(label, sample), penaltyOf(label, isDos), decode)
  }
  for (const [page, decode] of decodersOfPages) {
    // Nearly each of its places beyond ASCII is a letter, so any name looks like words in it.
    const candidate = candidates.find(({ label }) => label === dosPages[page])
    if (candidate !== undefined)
      judge(candidate, decode(sample), page === 'cp775' ? malus.ofWindows : 0, decode)
  }
  return best.decode
}

const latin1 = (bytes: Uint8Array): string => new TextDecoder('windows-1252').decode(bytes)

/** Of the signs beyond ASCII, the share that hardly any name has: quotes, fractions, frames, currencies. */
function oddShareOf(text: string): number {
  const all = text.match(/\P{ASCII}/gu)?.length ?? 0
  const odd =
    text.match(/[\u2018-\u203a€¢£¤¥¦§¨©«¬®¯°±²³´µ¶·¸¹»¼½¾¿¡×÷ƒˆ˜†‡‰\u2200-\u22ff\u2500-\u25ff]/g)?.length ?? 0
  return all === 0 ? 0 : (1.2 * odd) / all
}
