/** What is chosen in a room, kept in its address: it can be sent to others, and the way back leads to it. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** `const [tab, setTab] = useSearchValue('tab', 'documents')`; the fallback is left out of the address. */
export function useSearchValue(name: string, fallback = ''): [string, (value: string) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (value: string) =>
      void navigate({
        to: '.',
        // Another choice begins at the first page again.
        search: (before: Record<string, unknown>) => ({
          ...before,
          page: undefined,
          [name]: value === fallback ? undefined : value,
        }),
        replace: name !== 'page',
        resetScroll: name === 'page',
      }),
    [navigate, name, fallback],
  )
  const value = search[name]
  return [typeof value === 'string' ? value : fallback, set]
}

/** A choice among a few: an address that says anything else counts as saying nothing. */
export function useSearchChoice<Value extends string, Fallback extends string>(
  name: string,
  values: readonly Value[],
  fallback: Fallback,
): [Value | Fallback, (value: string) => void] {
  const [text, set] = useSearchValue(name, fallback)
  return [values.find(value => value === text) ?? fallback, set]
}

export function usePage(): [number, (page: number) => void] {
  const [value, set] = useSearchValue('page', '1')
  const page = Number(value)
  const setPage = useCallback((wanted: number) => set(String(wanted)), [set])
  return [Number.isInteger(page) && page > 0 ? page : 1, setPage]
}

/** A part of the room's path, such as `agentId` of `/agents/$agentId`. */
export function useRoomParam(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false })
  const value = params[name]
  if (value === undefined) throw new Error(`The path of this room has no $${name}`)
  return value
}
