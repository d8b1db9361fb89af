/** Pictures: they hold no text that can be read without recognising it. */
import { ParseFailure } from '../failure.ts'
import type { Reader } from '../reader.ts'

export const readPicture: Reader = async () => {
  throw new ParseFailure('no_text')
}
