/** Reads and changes data through the API. Query keys hold the workspace and environment; a change refetches what it affects. */
import type { Atrium, List, Page } from '@atrium/sdk'
import { keepPreviousData, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Toast, useToasts } from '../ui/toast.tsx'
import { useScope } from './scope.tsx'
import { usePage } from './search-values.ts'

type Reading = { signal: AbortSignal }

type QueryOptions<Data> = {
  enabled?: boolean
  /** How often to refetch, in milliseconds; false for never. */
  refetchInterval?: number | false | ((data: Data | undefined) => number | false)
  /** How long the data counts as fresh, in milliseconds; ten seconds by default. */
  staleTime?: number
}

export const usualStaleTime = 10_000

/** `useApiQuery(['agents', id], (atrium, options) => atrium.agents.get(id, options))` */
export function useApiQuery<Data>(
  key: QueryKey,
  read: (atrium: Atrium, options: Reading) => Promise<Data>,
  { enabled = true, refetchInterval = false, staleTime = usualStaleTime }: QueryOptions<Data> = {},
) {
  const { atrium, workspace, environment } = useScope()
  return useQuery({
    queryKey: [workspace.id, environment, ...key],
    queryFn: ({ signal }) => read(atrium, { signal }),
    enabled,
    staleTime,
    refetchInterval: intervalOf(refetchInterval),
  })
}

/** As the library asks for it: with the query that has the data. */
function intervalOf<Data>(interval: NonNullable<QueryOptions<Data>['refetchInterval']>) {
  if (typeof interval !== 'function') return interval
  return (query: { state: { data: Data | undefined } }) => interval(query.state.data)
}

const defaultPageSize = 20

/** One page of a list, by `?page=` of the address; while the next one is read, the last one stays. */
export function usePagedQuery<Item>(
  key: QueryKey,
  read: (atrium: Atrium, query: { page: number; pageSize: number }, options: Reading) => List<Item>,
  options: Pick<QueryOptions<Page<Item>>, 'refetchInterval'> & { pageSize?: number } = {},
) {
  const { pageSize = defaultPageSize, refetchInterval = false } = options
  const { atrium, workspace, environment } = useScope()
  const [page, setPage] = usePage()
  const query = useQuery({
    queryKey: [workspace.id, environment, ...key, { page, pageSize }],
    queryFn: ({ signal }) => read(atrium, { page, pageSize }, { signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: intervalOf(refetchInterval),
  })
  return { ...query, page, pageSize, setPage }
}

/**
 * A change. `changes` are the keys of what it makes stale, without workspace and environment:
 * `useApiMutation((atrium, name: string) => atrium.workspace.teams.create({ name }), { changes: [['teams']] })`
 */
export function useApiMutation<Result, Input = void>(
  write: (atrium: Atrium, input: Input) => Promise<Result>,
  { changes = [] }: { changes?: readonly QueryKey[] } = {},
) {
  const { atrium } = useScope()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: (input: Input) => write(atrium, input),
    onSuccess: () => readAgain(changes),
  })
}

type ActionOptions<Result, Input> = {
  changes?: readonly QueryKey[]
  /** What was done, in words; `again` is for `undo`. */
  done?: (result: Result, again: (input: Input) => Promise<Result>) => Toast
}

/** A change by a press of a button: a toast says what has failed, and what was done where `done` says it. */
export function useApiAction<Result, Input = void>(
  write: (atrium: Atrium, input: Input) => Promise<Result>,
  { changes = [], done }: ActionOptions<Result, Input> = {},
) {
  const toasts = useToasts()
  const { mutate, mutateAsync, isPending } = useApiMutation(write, { changes })
  const onSuccess = (result: Result) => {
    if (done !== undefined) toasts.show(done(result, mutateAsync))
  }
  return { isPending, run: (input: Input) => mutate(input, { onSuccess, onError: toasts.fail }) }
}

/** What is stale by these keys, without workspace and environment, is read again where a page shows it. */
export function useReadAgain(): (keys: readonly QueryKey[]) => Promise<unknown> {
  const { workspace, environment } = useScope()
  const client = useQueryClient()
  return useCallback(
    keys =>
      Promise.all(
        keys.map(key => client.invalidateQueries({ queryKey: [workspace.id, environment, ...key] })),
      ),
    [client, workspace.id, environment],
  )
}
