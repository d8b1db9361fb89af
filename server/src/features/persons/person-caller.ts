/** From a person's place in a workspace to the caller that they are there. */
import { type Caller, type Environment, rolePermissions } from '../../platform/caller.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { PersonInWorkspace } from './store.ts'

/** A person may do what the role allows; nothing narrows it. */
export const callerOf = (
  person: PersonInWorkspace,
  environment: Environment,
): Omit<Caller, 'requestId' | 'address'> => ({
  kind: 'person',
  userId: person.userId,
  keyId: null,
  role: person.role,
  permissions: new Set(rolePermissions[person.role]),
  plan: person.plan,
  requestsPerMinute: person.rateLimit,
  idempotencyId: null,
  scope: { workspaceId: person.workspaceId, environment },
})

/** What somebody is told who could go in, if the workspace were not deleted; null where it is not. */
export const refusalOf = (person: PersonInWorkspace): ServiceError | null =>
  person.deletesAt === null ? null : new ServiceError('workspace_deleted')
