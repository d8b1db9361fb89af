/** The block of 512 bytes that stands before a file in a tar archive (POSIX ustar). */

const blockSize = 512

/** Throws where the name has more than 100 bytes or the size no room in eleven octal digits: no entry of ours has. */
export function tarHeader(name: string, sizeBytes: number): Buffer {
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
export const tarPadding = (sizeBytes: number): Buffer =>
  Buffer.alloc((blockSize - (sizeBytes % blockSize)) % blockSize)

/** Two empty blocks. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * blockSize)
