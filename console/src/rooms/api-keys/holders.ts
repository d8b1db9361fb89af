/** For whom keys act: people and service accounts, by their user's id. */
import type { Member } from '@atrium/sdk'
import { useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'

/** As many as one page has: of a larger workspace the newest; the others' names are left out. */
const mostNamed = 100

export function useServiceAccounts() {
  const enabled = useMay('members:read')
  return useApiQuery(
    ['members', 'service-accounts'],
    (atrium, options) =>
      atrium.workspace.members.list({ kind: 'service', pageSize: mostNamed }, options).page(),
    { enabled },
  )
}

export function useHolderNames(): ReadonlyMap<string, Pick<Member, 'name' | 'kind'>> {
  const enabled = useMay('members:read')
  const { data } = useApiQuery(
    ['members', 'names'],
    (atrium, options) => atrium.workspace.members.list({ pageSize: mostNamed }, options).page(),
    { enabled },
  )
  return new Map(data?.items.map(({ userId, name, kind }) => [userId, { name, kind }]))
}
