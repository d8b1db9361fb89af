/** A zip whose every header can be made to lie: for what hostile archives do. */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name: string | Buffer
  content: Buffer
  /** What stands packed in the file; the packed content unless given. */
  packed?: Buffer
  flags?: number
  method?: number
  statedBytes?: number
  checksum?: number
  attributes?: number
  /** Where its bytes stand; behind those of the entry before unless given. */
  offset?: number
  /** The maker's system (APPNOTE.TXT 4.4.2); Unix unless given. */
  system?: number
}

/** `stated` is how many entries the archive claims. */
export function zipOfEntries(entries: readonly ZipEntry[], stated = entries.length): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const packed = entry.packed ?? deflateRawSync(entry.content)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(entry.flags ?? 0, 2)
    about.writeUInt16LE(entry.method ?? 8, 4)
    about.writeUInt32LE(entry.checksum ?? crc32(entry.content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(entry.statedBytes ?? entry.content.length, 18)
    about.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(entry.attributes ?? 0, 6)
    place.writeUInt32LE(entry.offset ?? offset, 10)
    const header = Buffer.from([0x50, 0x4b, 1, 2, 20, entry.system ?? 3])
    directory.push(header, about, place, name)
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, name, packed])
    files.push(file)
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(stated, 8)
  end.writeUInt16LE(stated, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}
