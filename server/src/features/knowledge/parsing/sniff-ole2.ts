/** What an OLE2 file is (old Office, Outlook, encrypted Office): told by the names in the directory of its streams. */
import type { Sniffed } from './formats.ts'

/** Fewer bytes than asked for where the file ends. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>

export const isOle2 = (head: Buffer): boolean =>
  head.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))

export async function sniffOle2(head: Buffer, readAt: ReadAt): Promise<Sniffed> {
  const names = await streamNames(head, readAt)
  return kinds.find(({ stream }) => names.some(name => stream.test(name)))?.is ?? unknown
}

const refused = (seemsToBe: string): Sniffed => ({ format: null, seemsToBe })

/** The first that fits decides. */
const kinds: readonly { stream: RegExp; is: Sniffed }[] = [
  {
    stream: /^EncryptedPackage$/,
    is: refused('an Office file protected by a password (remove the protection and upload it again)'),
  },
  { stream: /^__properties_version1\.0$|^__substg1\.0_/, is: { format: 'outlook' } },
  { stream: /^WordDocument$/, is: refused('an old Word document (save it as .docx)') },
  { stream: /^(Workbook|Book)$/, is: refused('an old Excel workbook (save it as .xlsx)') },
  { stream: /^PowerPoint Document$/, is: refused('an old PowerPoint presentation (save it as .pptx)') },
]

const unknown = refused('an old Office file (save it in a present format)')

const entryBytes = 128
/** Some 4,000 entries of the usual sectors: more than the names that tell a file stand behind. */
const maxSectors = 1_024
const endOfChain = 0xfffffffa

/** [MS-CFB] 2.2–2.6: the header names the directory's first sector, and the table of sectors names each next one. */
async function streamNames(head: Buffer, readAt: ReadAt): Promise<string[]> {
  if (head.length < 512) return []
  const sectorBytes = head.readUInt16LE(30) === 12 ? 4_096 : 512
  const sectorAt = (sector: number): Promise<Buffer> => readAt((sector + 1) * sectorBytes, sectorBytes)
  const perTableSector = sectorBytes / 4
  const names: string[] = []
  let sector = head.readUInt32LE(48)
  for (let count = 0; sector < endOfChain && count < maxSectors; count++) {
    const entries = await sectorAt(sector)
    for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) names.push(nameAt(entries, at))
    const tablePlace = 76 + Math.floor(sector / perTableSector) * 4
    if (tablePlace + 4 > 512) break
    const table = await readAt(
      (head.readUInt32LE(tablePlace) + 1) * sectorBytes + (sector % perTableSector) * 4,
      4,
    )
    if (table.length < 4) break
    sector = table.readUInt32LE(0)
  }
  return names
}

/** Names are UTF-16 with a NUL behind them; their length in bytes stands at 64. */
function nameAt(entries: Buffer, at: number): string {
  const lengthBytes = Math.min(64, entries.readUInt16LE(at + 64))
  return entries.toString('utf16le', at, at + Math.max(0, lengthBytes - 2))
}
