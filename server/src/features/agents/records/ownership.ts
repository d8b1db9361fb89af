/**
 * Who owns a conversation and its runs: a person, or the workspace. The condition `isOfReader` in each statement
 * decides who reads them. This file decides who makes, continues and changes them.
 */
import { type Caller, isViewer, type Scope } from '../../../platform/caller.ts'
import { forbidden, invalidField, lacksPermission } from '../../../platform/errors.ts'
import type { AgentRow } from '../definitions/agent-store.ts'

/** A run or a conversation. */
type Owned = { owner_id: string | null }

/** The owner of what the caller makes: a person, or null for the workspace, which owns what programs make. */
export const ownerOf = (caller: Caller): string | null => (caller.kind === 'person' ? caller.userId : null)

/** Whether a person other than the reader owns the row. Access to such a row can end. */
export const isOfAnother = ({ reader }: Scope, { owner_id: owner }: Owned): boolean =>
  owner !== null && owner !== reader?.personId

/**
 * Throws `permission_missing` unless the caller may change the row, which it may read. A person's row may be changed
 * by that person only, also as a viewer. The workspace's row may be changed by callers who may run agents.
 */
export function requireChange(caller: Caller, row: Owned): void {
  if (isOfAnother(caller.scope, row)) {
    const message = 'It is a conversation of another person, who alone can continue or change it'
    throw forbidden('record', message)
  }
  if (row.owner_id === null) requireRunner(caller)
}

/** Throws a 400 if the caller may read the conversation but cannot continue it. */
export function requireContinuing(caller: Caller, row: Owned): void {
  if (isOfAnother(caller.scope, row)) {
    throw invalidField('conversationId', 'It is a conversation of another person, who alone can continue it')
  }
  if (row.owner_id === null && isViewer(caller)) {
    throw invalidField('conversationId', 'It belongs to the workspace; viewers continue their own alone')
  }
}

/** Throws `permission_missing` if the caller may not run agents. */
export function requireRunner(caller: Caller): void {
  if (!caller.permissions.has('agents:run')) throw lacksPermission(caller, 'agents:run')
}

/** The caller with its permissions for this agent: a viewer may run agents if this agent allows viewers. */
export const asRunner = <SomeCaller extends Caller>(
  caller: SomeCaller,
  agent: Pick<AgentRow, 'viewers_may_run'>,
): SomeCaller =>
  isViewer(caller) && agent.viewers_may_run === 1
    ? { ...caller, permissions: new Set([...caller.permissions, 'agents:run'] as const) }
    : caller

/** Whether an agent cannot be called within the caller's run: viewers cannot reach an agent that they may not run. */
export const isClosedTo = (caller: Caller, agent: Pick<AgentRow, 'viewers_may_run'>): boolean =>
  isViewer(caller) && agent.viewers_may_run === 0
