/** Sizes in words, with the exact number of bytes beside them. */

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
const step = 1024

/** Such as `100 MB (104857600 bytes)`. */
export function sizeInWords(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= step && unit < units.length - 1) {
    size /= step
    unit++
  }
  return unit === 0 ? `${bytes} bytes` : `${Number(size.toFixed(1))} ${units[unit]} (${bytes} bytes)`
}
