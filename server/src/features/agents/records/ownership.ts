/**
 * Whose a conversation is with its runs: a person's own, or the workspace's. Who reads them is a condition of each
 * statement (`isOfReader`); here it is decided who makes, continues and changes them.
 */
import { type Caller, isViewer, type Scope } from '../../../platform/caller.ts'
import { invalidField, lacksPermission, ServiceError } from '../../../platform/errors.ts'
import type { AgentRow } from '../definitions/agent-store.ts'

/** A run or a conversation. */
type Owned = { owner_id: string | null }

/** Whose what the caller makes is: a person's own; null for a program's, which is the workspace's. */
export const ownerOf = (caller: Caller): string | null => (caller.kind === 'person' ? caller.userId : null)

/** Whether the row is a person's, and not the reader's own: access to it can end. */
export const isOfAnother = ({ reader }: Scope, { owner_id: owner }: Owned): boolean =>
  owner !== null && owner !== reader?.personId

/**
 * Throws `permission_missing` unless the caller may change what it may read: a person's by that person alone, viewers
 * included, and the workspace's by those who may run agents.
 */
export function requireChange(caller: Caller, row: Owned): void {
  if (isOfAnother(caller.scope, row)) {
    const message = 'It is a conversation of another person, who alone can continue or change it'
    throw new ServiceError('permission_missing', message)
  }
  if (row.owner_id === null) requireRunner(caller)
}

/** Throws a 400 unless the conversation, which the caller may read, is one that the caller can continue. */
export function requireContinuing(caller: Caller, row: Owned): void {
  if (isOfAnother(caller.scope, row)) {
    throw invalidField('conversationId', 'It is a conversation of another person, who alone can continue it')
  }
  if (row.owner_id === null && isViewer(caller)) {
    throw invalidField('conversationId', 'It belongs to the workspace; viewers continue their own alone')
  }
}

/** Throws `permission_missing`. */
export function requireRunner(caller: Caller): void {
  if (!caller.permissions.has('agents:run')) throw lacksPermission(caller, 'agents:run')
}

/** The caller as it runs an agent: a viewer gets the permission where the agent gives it. */
export const asRunner = <SomeCaller extends Caller>(
  caller: SomeCaller,
  agent: Pick<AgentRow, 'viewers_may_run'>,
): SomeCaller =>
  isViewer(caller) && agent.viewers_may_run === 1
    ? { ...caller, permissions: new Set([...caller.permissions, 'agents:run'] as const) }
    : caller

/** Whether the agent is closed to a caller who runs another one: what a viewer may not run does not answer within a run. */
export const isClosedTo = (caller: Caller, agent: Pick<AgentRow, 'viewers_may_run'>): boolean =>
  isViewer(caller) && agent.viewers_may_run === 0
