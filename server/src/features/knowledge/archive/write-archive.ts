/** Streams the entries of an archive: bytes are made only as they are read. */
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { tarEnd, tarHeader, tarPadding } from './tar-header.ts'

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

/** Throws where the file has not exactly that many bytes. */
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
