/** Filters over the metadata of documents, as values instead of JSON text. */

export type FilterValue = string | number | boolean

/** One condition on a field of the metadata, or on one of every document, such as `$createdAt`. */
export type FilterCondition = { field: string } & (
  | { op: 'eq' | 'ne'; value: FilterValue }
  | { op: 'in'; value: readonly FilterValue[] }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; value: string | number }
  | { op: 'exists'; value?: boolean }
  | { op: 'contains'; value: string }
)

export type Filter =
  | FilterCondition
  | { and: readonly Filter[] }
  | { or: readonly Filter[] }
  | { not: Filter }

/** A query whose filter may be a value. */
export type Filtered<Query> = Omit<Query, 'filter'> & { filter?: Filter | string | undefined }

/** The query as it is sent. */
export const withFilterText = <Query extends { filter?: Filter | string | undefined }>({
  filter,
  ...rest
}: Query) => ({
  ...rest,
  filter: filter === undefined ? undefined : typeof filter === 'string' ? filter : JSON.stringify(filter),
})
