/** One short text for many values, as the version of an item. It changes whenever one of the values changes. */
import { createHash } from 'node:crypto'

export const fingerprint = (values: unknown): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22)
