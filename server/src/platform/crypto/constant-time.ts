/** Comparing what a stranger gives with a secret. */
import { timingSafeEqual } from 'node:crypto'

/** In a time that tells the length, and not how much is the same. */
export const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected)
