/** What a person may do with an agent, a conversation or a run: the server refuses the rest in any case. */
import type { Agent, Run } from '@atrium/sdk'
import { useMay, useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'

/** Viewers run the agents that let them. */
export function useMayAsk({ viewersMayRun }: Pick<Agent, 'viewersMayRun'>): boolean {
  const mayRun = useMay('agents:run')
  const { role } = useScope()
  return mayRun || (role === 'viewer' && viewersMayRun)
}

/** A person's conversation is continued and changed by that person alone, and the workspace's by all who run agents. */
export function useMayChange({ ownerId }: Pick<Run, 'ownerId'>): boolean {
  const mayRun = useMay('agents:run')
  const { id } = usePerson()
  return ownerId === null ? mayRun : ownerId === id
}
