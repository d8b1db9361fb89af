/** Names of the people and keys that have made changes, as far as the person may see them. */

import type { AuditEntry } from '@atrium/sdk'
import { useApiQuery } from '../../api/queries.ts'
import { useMemberNames } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'

/** As many as one page has: of a larger workspace the newest; the others are shown by their ids. */
const mostNamed = 100

type Named = { id: string; name: string }

export type Authors = {
  people: readonly Named[]
  keys: readonly Named[]
  /** `Ada, by the key Nightly import`. */
  nameOf(entry: AuditEntry): string
  /** The person whom another's change is about, such as a sign-in that was refused; null for any other record. */
  subjectOf(entry: AuditEntry): string | null
}

export function useAuthors(): Authors {
  const names = useMemberNames()
  const listed = useApiQuery(
    ['api-keys', 'names'],
    (atrium, options) => atrium.apiKeys.list({ pageSize: mostNamed }, options).page(),
    { enabled: useMay('keys:read') },
  )
  const people = [...names].map(([id, { name }]) => ({ id, name }))
  const keys = (listed.data?.items ?? []).map(({ id, name }) => ({ id, name }))
  return {
    people,
    keys,
    nameOf({ actor, userId, keyId, address }) {
      if (actor === 'operator') return 'The operator'
      // The server writes the entry, yet the request of a stranger has brought it about.
      if (actor === 'system') return address === null ? 'The server' : 'Somebody not signed in'
      const person = userId === null ? null : (names.get(userId)?.name ?? userId)
      if (keyId === null) return person ?? 'Somebody'
      const key = `the key ${keys.find(({ id }) => id === keyId)?.name ?? keyId}`
      return person === null ? `By ${key}` : `${person}, by ${key}`
    },
    subjectOf: ({ resourceId, userId }) =>
      resourceId === userId || resourceId === null ? null : (names.get(resourceId)?.name ?? null),
  }
}
