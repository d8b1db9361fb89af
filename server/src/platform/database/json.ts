/** JSON columns: text on both engines alike, so that no engine reorders, parses or refuses what users wrote. */
import { isDeepStrictEqual } from 'node:util'

/** The text of a column that holds a `T`. */
export type Json<T> = string & { readonly json?: T }

export const encodeJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/**
 * Leaves out the fields that have the usual value; a reader puts them back. Most records then store nothing. The
 * usual value must never change, because stored records depend on it. So use null, and decide where it is used what
 * null means.
 */
export const encodeUnusual = <T extends object>(values: T, usual: T): Json<Partial<T>> =>
  encodeJson(
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => !isDeepStrictEqual(value, usual[name as keyof T])),
    ) as Partial<T>,
  )

/** Most columns of JSON hold nothing: these two texts need no parser. */
export const decodeJson = <T>(text: Json<T>): T =>
  (text === '[]' ? [] : text === '{}' ? {} : JSON.parse(text)) as T
