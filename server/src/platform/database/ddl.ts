/** Words for column types, so that one text of a table serves both engines and the schemas cannot differ. */
import type { Engine } from './database.ts'

export type Ddl = {
  engine: Engine
  /** Text in the order of its bytes, for ids and codes. */
  id: string
  text: string
  /** JSON kept as text. */
  json: string
  /** A whole number of up to 53 bits: counts, sizes, milliseconds. */
  integer: string
  real: string
  bytes: string
}

export const ddlOf = (engine: Engine): Ddl =>
  engine === 'sqlite'
    ? { engine, id: 'TEXT', text: 'TEXT', json: 'TEXT', integer: 'INTEGER', real: 'REAL', bytes: 'BLOB' }
    : {
        engine,
        id: 'TEXT COLLATE "C"',
        text: 'TEXT',
        json: 'TEXT',
        integer: 'BIGINT',
        real: 'DOUBLE PRECISION',
        bytes: 'BYTEA',
      }

/** One numbered step of the schema. Once released, a migration is never edited. */
export type Migration = {
  number: number
  name: string
  /** The statements, in order. All pending migrations run in one transaction. */
  up: (ddl: Ddl) => string[]
  /** Only of a baseline, whose `up` makes a whole schema: the statements for a database at the number before it. */
  fromPrevious?: (ddl: Ddl) => string[]
}
