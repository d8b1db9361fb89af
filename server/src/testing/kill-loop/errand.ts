/** A dealing of many requests that a kill may cut short anywhere. */
import type { Query } from '../../platform/database/database.ts'
import type { Call } from './call.ts'

export type Errand = {
  /** How many changes one dealing is, of those after which a kill at any moment comes. */
  changes: number
  /** One more dealing, or the rest of one that a kill has interrupted. Returns false once the server is gone. */
  run(call: Call): Promise<boolean>
  /** What must hold whenever no work is left: a line for each thing that is wrong. Null if the server is gone. */
  check(call: Call, query: Query): Promise<string[] | null>
}
