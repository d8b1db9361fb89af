/** Streams the entries of an archive: bytes are made only as they are read. */
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

export type Bytes = AsyncGenerator<Buffer, void, undefined>

export async function* jsonEntry(name: string, value: unknown): Bytes {
  yield* textEntry(name, `${JSON.stringify(value)}\n`)
}

/** A line of JSON for each value. */
export async function* linesEntry(name: string, values: readonly unknown[]): Bytes {
  yield* textEntry(name, values.map(value => `${JSON.stringify(value)}\n`).join(''))
}

async function* textEntry(name: string, text: string): Bytes {
  const bytes = Buffer.from(text)
  yield Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)])
}

/** Throws if the file has not exactly that many bytes. */
export async function* fileEntry(name: string, sizeBytes: number, file: Readable): Bytes {
  let sent = 0
  try {
    yield tarHeader(name, sizeBytes)
    for await (const piece of file) {
      const bytes = piece as Buffer
      sent += bytes.length
      if (sent > sizeBytes) break
      yield bytes
    }
  } finally {
    // Also if the reader stops after the header.
    file.destroy()
  }
  if (sent !== sizeBytes) throw new Error(`${name} has not the ${sizeBytes} bytes that its record states`)
  yield tarPadding(sizeBytes)
}

/** Streams the archive to a client or a file. If `entries` throws, the stream is cut off, which every reader of archives detects. */
export function packArchive(entries: () => Bytes): Readable {
  const packed = createGzip({ level: 4 })
  const source = Readable.from(withEnd(entries), { objectMode: false })
  source.on('error', error => packed.destroy(error))
  packed.on('close', () => source.destroy())
  return source.pipe(packed)
}

async function* withEnd(entries: () => Bytes): Bytes {
  yield* entries()
  yield tarEnd()
}

const blockSize = 512

/**
 * The block of 512 bytes that stands before a file in a tar archive (POSIX ustar). Throws if the name has more than 100
 * bytes or the size no room in eleven octal digits: no entry of ours has.
 */
function tarHeader(name: string, sizeBytes: number): Buffer {
  if (Buffer.byteLength(name) > 100 || sizeBytes >= 8 ** 11)
    throw new RangeError(`${name} does not fit into a tar archive`)
  const block = Buffer.alloc(blockSize)
  block.write(name, 0)
  block.write('0000600', 100)
  block.write('0000000', 108)
  block.write('0000000', 116)
  block.write(octal(sizeBytes), 124)
  block.write(octal(0), 136)
  // The sum counts its own eight bytes as spaces.
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const octal = (value: number): string => value.toString(8).padStart(11, '0')

/** What fills a file's last block. */
const tarPadding = (sizeBytes: number): Buffer =>
  Buffer.alloc((blockSize - (sizeBytes % blockSize)) % blockSize)

/** Two empty blocks. */
const tarEnd = (): Buffer => Buffer.alloc(2 * blockSize)
