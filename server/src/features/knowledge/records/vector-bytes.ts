/** Vectors as they are stored and compared: 32-bit numbers in full, and the sign of each number as one bit. */

/** Lowest byte first, the byte order of every machine that Node runs on. */
export const encodeVector = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)

/** Copies the bytes: a database's bytes may begin where a number cannot (a Buffer's `slice` copies nothing). */
export const decodeVector = (bytes: Uint8Array): Float32Array =>
  new Float32Array(new Uint8Array(bytes).buffer)

/** How many words of 32 bits hold a vector's signs. */
export const wordsFor = (dimensions: number): number => Math.ceil(dimensions / 32)

/** The lowest bit of the first word is the first number's sign: 1 where it is positive. */
export function signsOf(vector: Float32Array): Int32Array {
  const words = new Int32Array(wordsFor(vector.length))
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] ?? 0) > 0) words[at >> 5] = (words[at >> 5] ?? 0) | (1 << (at & 31))
  }
  return words
}

export const encodeSigns = (words: Int32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength)

/** The cosine of two vectors of length 1: 1 where they point the same way. */
export function similarity(one: Float32Array, other: Float32Array): number {
  let sum = 0
  // Both vectors have the same length, so there is a number at each place.
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}
