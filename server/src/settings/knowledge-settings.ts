/** How documents are read, and how long what was deleted or replaced is kept. */
import { dayMs } from '../platform/clock.ts'
import { setting } from './setting.ts'
import { commandWith, days, optional, seconds, wholeNumber } from './values.ts'

export const knowledgeSettings = {
  parsingTimeoutMs: setting(
    'ATRIUM_PARSING_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    60_000,
    'Longest time for reading one document, in seconds; then it fails with parsing_timeout.',
  ),
  embeddingTimeoutMs: setting(
    'ATRIUM_EMBEDDING_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    300_000,
    'Longest time for which a document waits for its vectors, in seconds; then it is ready without, and they follow.',
  ),
  indexingTimeoutMs: setting(
    'ATRIUM_INDEXING_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    600_000,
    'Longest time for writing one document into the search index, in seconds; then it fails with indexing_timeout.',
  ),
  ocrCommand: setting(
    'ATRIUM_OCR_COMMAND',
    optional(commandWith('{file}')),
    null,
    'Program that reads text from pictures and scans, such as: tesseract {file} stdout -l eng+deu; not read where unset.',
  ),
  ocrTimeoutMs: setting(
    'ATRIUM_OCR_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    600_000,
    'Longest time for reading the pictures of one document, in seconds; then it fails with parsing_timeout.',
  ),
  urlTimeoutMs: setting(
    'ATRIUM_URL_TIMEOUT_SECONDS',
    seconds(1, 3_600),
    120_000,
    'Longest time for fetching a document by its URL, in seconds.',
  ),
  trashMs: setting(
    'ATRIUM_TRASH_DAYS',
    days(1, 3_650),
    30 * dayMs,
    'How long deleted documents and collections can be restored, in days.',
  ),
  documentVersions: setting(
    'ATRIUM_DOCUMENT_VERSIONS',
    wholeNumber(0, 1_000),
    20,
    'Replaced versions that are kept of each document.',
  ),
} as const
