import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sniffBytes } from './sniff.ts'

const sectorBytes = 512

/** An OLE2 file whose directory has these names, four to a sector, the sectors far apart. */
function ole2Of(...names: string[]): Buffer {
  const sectors = Math.ceil(names.length / 4)
  const file = Buffer.alloc(sectorBytes * (2 + sectors * 2), 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file)
  file.writeUInt16LE(9, 30)
  file.writeUInt32LE(1, 48)
  file.writeUInt32LE(0, 76)
  for (let index = 0; index < sectors; index++) {
    const sector = 1 + index * 2
    const isLast = index === sectors - 1
    file.writeUInt32LE(isLast ? 0xfffffffe : sector + 2, sectorBytes + sector * 4)
    for (const [place, name] of names.slice(index * 4, index * 4 + 4).entries()) {
      const at = (sector + 1) * sectorBytes + place * 128
      file.write(name, at, 'utf16le')
      file.writeUInt16LE(name.length * 2 + 2, at + 64)
    }
  }
  return file
}

const seemsToBe = async (...names: string[]): Promise<string> => {
  const sniffed = await sniffBytes(ole2Of(...names), 'file.docx')
  return sniffed.format ?? sniffed.seemsToBe
}

test('old and protected Office files are told apart by their streams, wherever the directory lists them', async () => {
  const others = ['Root Entry', '1Table', 'x', 'y', 'z', 'a', 'b', 'c', 'd']
  assert.match(await seemsToBe(...others, 'WordDocument'), /old Word document .*docx/)
  assert.match(await seemsToBe(...others, 'Workbook'), /old Excel workbook .*xlsx/)
  assert.match(await seemsToBe(...others, 'PowerPoint Document'), /old PowerPoint presentation .*pptx/)
  assert.match(await seemsToBe('Root Entry', 'EncryptionInfo', 'EncryptedPackage'), /protected by a password/)
  assert.equal(await seemsToBe('Root Entry', '__properties_version1.0'), 'outlook')
  assert.match(await seemsToBe('Root Entry'), /old Office file/)
})

test('a directory that leads in a circle, or out of the file, is looked at no longer than it takes to see that', async () => {
  const circle = ole2Of('Root Entry', 'a', 'b', 'c')
  circle.writeUInt32LE(1, sectorBytes + 4)
  assert.equal((await sniffBytes(circle, 'x')).format, null)
  const outside = ole2Of('Root Entry')
  outside.writeUInt32LE(0xf0000000, 48)
  assert.equal((await sniffBytes(outside, 'x')).format, null)
  assert.equal((await sniffBytes(outside.subarray(0, 100), 'x')).format, null)
})
