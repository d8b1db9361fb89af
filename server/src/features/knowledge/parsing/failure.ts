/** Why a file could not be turned into text: a closed list of codes, each with a message for people. */

import { sizeInWords } from '../../../platform/text/sizes.ts'
import { maxTextBytes, maxTextLength } from './limits.ts'

export const parseFailures = {
  empty: 'The file is empty.',
  no_text:
    'There is no text in the file. The text of a scan needs recognition (OCR), which this server has switched off.',
  encrypted: 'The file is protected by a password. Remove the protection and upload it again.',
  corrupt: 'The file is damaged, or it is not what its first bytes say.',
  too_large: `The file is larger than what can be read: ${sizeInWords(maxTextBytes)} for text. Split it into several files.`,
  parsing_timeout: 'Reading the file took too long.',
  too_complex: 'Reading the file takes more work than a file of its size may need.',
  out_of_memory: 'Reading the file needs more memory than a document may use.',
  text_too_long: `The file holds more than ${maxTextLength} characters, the most that a document may have. Split it into several files.`,
  archive_bomb: 'The file unpacks to far more than a document of this kind should.',
  parser_crashed: 'The file made its reader crash.',
  unsupported_type: 'Files of this type are not supported.',
  conversion_failed: 'The program that converts files of this type could not convert it.',
  file_missing: 'The stored file could not be found.',
  simulated: 'The failure that the file name asks for, as the sandbox does.',
} as const

export type ParseFailureCode = keyof typeof parseFailures

/** Thrown by every parser if the file is at fault. Its message is shown to people. */
export class ParseFailure extends Error {
  override readonly name = 'ParseFailure'
  readonly code: ParseFailureCode

  constructor(code: ParseFailureCode, message: string = parseFailures[code], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
