/** JSON columns: text on both engines alike, so that no engine reorders, parses or refuses what users wrote. */

/** The text of a column that holds a `T`. */
export type Json<T> = string & { readonly json?: T }

export const encodeJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** Most columns of JSON hold nothing: these two texts need no parser. */
export const decodeJson = <T>(text: Json<T>): T =>
  (text === '[]' ? [] : text === '{}' ? {} : JSON.parse(text)) as T
