/** Who used something: a key, a person who is signed in, or the system. */
import type { Actor } from '../events/data-schemas.ts'
import type { UsageSubject } from './schemas.ts'

const system = 'system'

export const actorIdOf = ({ kind, keyId, userId }: Actor): string =>
  (kind === 'key' ? keyId : kind === 'person' ? userId : null) ?? system

export function presentActor(id: string, name: string | null): UsageSubject {
  if (id === system) return { type: 'system', id: null, name: null }
  return { type: id.startsWith('usr_') ? 'person' : 'key', id, name }
}
