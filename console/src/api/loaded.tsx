/** What was read, or what stands there until then, or what to do where it failed. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../ui/notices.tsx'
import { Loading } from '../ui/waiting.tsx'
import { isUnreachable, useIsAway } from './connection.ts'

export type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** Shown while there is nothing yet; grey bars unless given. */
  waiting?: ReactNode
  children: (data: Data) => ReactNode
}

/** Old data stays on the page, below a notice, when reading it again has failed. The banner tells of a server that is away. */
export function Loaded<Data>({ query, waiting = <Loading />, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query
  const isWaiting = useIsAway() && isUnreachable(error)
  return (
    <>
      {error !== null && !isWaiting && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (error === null || isWaiting) && waiting : children(data)}
    </>
  )
}
