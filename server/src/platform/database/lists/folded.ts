/** Text whatever its case, the same on either engine: for names that people look for and sort by. */
import { type RawBuilder, sql } from 'kysely'
import type { Query } from '../database.ts'
import { engineOf } from '../statement.ts'

/** SQLite itself knows the case of ASCII only, so each of its connections is given this as `folded`. */
export const fold = (text: string): string => text.toLowerCase()

/** A column as `fold` writes it, in the order of its code points. PostgreSQL's ICU has the same rules. */
export const folded = (query: Query, column: string): RawBuilder<string> =>
  engineOf(query) === 'sqlite'
    ? sql<string>`folded(${sql.ref(column)})`
    : sql<string>`(lower(${sql.ref(column)} COLLATE "und-x-icu") COLLATE "C")`

/** Whether a folded text has these words in it, whatever their case. Neither engine reads wildcards in them. */
export const holdsWords = (query: Query, column: string, words: string): RawBuilder<boolean> =>
  engineOf(query) === 'sqlite'
    ? sql<boolean>`coalesce(instr(${folded(query, column)}, ${fold(words)}), 0) > 0`
    : sql<boolean>`coalesce(strpos(${folded(query, column)}, ${fold(words)}), 0) > 0`
