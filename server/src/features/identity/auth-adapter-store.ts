/** What better-auth keeps, in our tables: its models as rows, with times as numbers and secrets hashed or encrypted. */
import type { CleanedWhere, CustomAdapter } from 'better-auth/adapters'
import { type RawBuilder, sql } from 'kysely'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Model, modelOf, type Row, toRecord, toRow, whereValue } from './auth-models.ts'
import { findPassword } from './store.ts'

type Condition = CleanedWhere

/**
 * The storage that better-auth is given. Each of its statements is a transaction of its own: what must be one change is
 * made by our services. `ended` hears of the sessions that are deleted.
 */
export function createAuthStorage(dependencies: {
  database: Database
  keyring: Keyring
  ended: (sessionIds: readonly string[]) => void
}): CustomAdapter {
  const { database, keyring, ended } = dependencies

  const find = async (name: string, where: readonly Condition[] = [], limit = 1, newestFirst = false) => {
    const model = modelOf(name)
    const order = newestFirst ? sql`ORDER BY created_at DESC, id DESC` : sql``
    const { rows } = await sql<Row>`SELECT * FROM ${sql.table(model.table)}
      ${filter(keyring, model, where)} ${order} LIMIT ${sql.lit(limit)}`.execute(database.read)
    const records = rows.map(row => toRecord(keyring, model, row, where))
    return model.table === 'verifications' ? standing(records) : records
  }
  /** A second step names the person whose password began it: with another password since, it leads nowhere. */
  const standing = async (records: Row[]): Promise<Row[]> => {
    const isStanding = async ({ value, createdAt }: Row): Promise<boolean> => {
      const password = await findPassword(database.read, String(value))
      return password === undefined || password.updatedAt <= Number(createdAt)
    }
    const kept = await Promise.all(records.map(isStanding))
    return records.filter((_, place) => kept[place])
  }
  const change = async (name: string, where: readonly Condition[], assignments: RawBuilder<unknown>[]) => {
    const model = modelOf(name)
    const rows = await run(sql<Row>`UPDATE ${sql.table(model.table)} SET ${sql.join(assignments)}
      ${filter(keyring, model, where)} RETURNING *`)
    return rows.map(row => toRecord(keyring, model, row, where))
  }
  const remove = async (name: string, where: readonly Condition[]) => {
    const model = modelOf(name)
    const rows = await run(sql<Row>`DELETE FROM ${sql.table(model.table)}
      ${filter(keyring, model, where)} RETURNING *`)
    if (model.table === 'sessions') ended(rows.map(row => String(row.id)))
    return rows.map(row => toRecord(keyring, model, row, where))
  }
  const run = (statement: RawBuilder<Row>): Promise<Row[]> =>
    database.write(async tx => (await statement.execute(tx)).rows)
  const assign = (name: string, data: Record<string, unknown>): RawBuilder<unknown>[] =>
    Object.entries(toRow(keyring, modelOf(name), data)).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    )

  return {
    async create({ model: name, data }) {
      const model = modelOf(name)
      const row = toRow(keyring, model, data)
      await run(sql<Row>`INSERT INTO ${sql.table(model.table)} (${sql.join(Object.keys(row).map(column => sql.ref(column)))})
        VALUES (${sql.join(Object.values(row))}) RETURNING id`)
      return data
    },
    async findOne<T>({ model, where }: { model: string; where: Condition[] }) {
      return ((await find(model, where))[0] ?? null) as T | null
    },
    async findMany<T>(query: FindMany) {
      return (await find(query.model, query.where, query.limit, query.sortBy !== undefined)) as T[]
    },
    async update<T>({ model, where, update }: { model: string; where: Condition[]; update: T }) {
      const changed = await change(model, where, assign(model, update as Record<string, unknown>))
      return (changed[0] ?? null) as T | null
    },
    async updateMany({ model, where, update }) {
      return (await change(model, where, assign(model, update))).length
    },
    async delete({ model, where }) {
      await remove(model, where)
    },
    async deleteMany({ model, where }) {
      return (await remove(model, where)).length
    },
    async consumeOne<T>({ model, where }: { model: string; where: Condition[] }) {
      const [found] = await find(model, where)
      if (found === undefined) return null
      // Of two who have found it, one deletes it.
      const [consumed] = await remove(model, [...where, { ...equals, field: 'id', value: String(found.id) }])
      return (consumed ?? null) as T | null
    },
    async incrementOne<T>(query: IncrementOne) {
      const { model, where, increment, set = {} } = query
      const { fields } = modelOf(model)
      const sums = Object.entries(increment).map(([field, by]) => {
        const column = sql.ref(fields[field]?.column ?? field)
        return sql`${column} = ${column} + ${by}`
      })
      return ((await change(model, where, [...sums, ...assign(model, set)]))[0] ?? null) as T | null
    },
    async count({ model: name, where = [] }) {
      const model = modelOf(name)
      const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(model.table)}
        ${filter(keyring, model, where)}`.execute(database.read)
      return Number(rows[0]?.count ?? 0)
    },
  }
}

type FindMany = { model: string; where?: Condition[] | undefined; limit: number; sortBy?: unknown }
type IncrementOne = {
  model: string
  where: Condition[]
  increment: Record<string, number>
  set?: Record<string, unknown> | undefined
}

const equals = { operator: 'eq', connector: 'AND', mode: 'sensitive' } as const

const operators: Readonly<Record<string, RawBuilder<unknown>>> = {
  eq: sql`=`,
  ne: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
}

function filter(keyring: Keyring, model: Model, where: readonly Condition[]): RawBuilder<unknown> {
  if (where.length === 0) return sql``
  return sql`WHERE ${sql.join(
    where.map(condition => comparison(keyring, model, condition)),
    sql` AND `,
  )}`
}

function comparison(keyring: Keyring, model: Model, condition: Condition): RawBuilder<unknown> {
  const { field, value, operator, connector } = condition
  const column = model.fields[field]?.column
  const sign = operators[operator ?? 'eq']
  // A condition that was passed over would widen the statement.
  if (column === undefined || connector !== 'AND') throw new Error(`No condition on ${model.table}.${field}`)
  if (operator === 'in' && Array.isArray(value)) {
    const values = value.map(item => whereValue(keyring, model, field, item))
    return values.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} IN (${sql.join(values)})`
  }
  if (sign === undefined) throw new Error(`No operator ${operator} on ${model.table}.${field}`)
  if (value === null)
    return operator === 'ne' ? sql`${sql.ref(column)} IS NOT NULL` : sql`${sql.ref(column)} IS NULL`
  return sql`${sql.ref(column)} ${sign} ${whereValue(keyring, model, field, value)}`
}
