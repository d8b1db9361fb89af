/** What a room is: one page of the console, with its place in the navigation. */
import type { LucideIcon } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { useScope } from '../api/scope.tsx'

/** The groups of the sidebar, in their order. */
export const areas = ['Workspace', 'Observe', 'Settings'] as const
type Area = (typeof areas)[number]

export type Room = {
  /** Such as `/agents` or `/agents/$agentId`. Not below /api, /auth, /console, /docs, /oauth, /invitations. */
  path: string
  /** For the tab, the navigation and those who hear the page. */
  title: string
  /** A person without it sees an explanation instead of the room, and no entry in the navigation. */
  permission?: string
  /** Present where the room stands in the sidebar. */
  sidebar?: { area: Area; icon: LucideIcon }
  /** Further entries of the command palette: `{ title: 'Create an API key', to: '/settings/api-keys/new' }`. */
  commands?: readonly { title: string; to: string }[]
  /** Loaded when a person goes there; exports the component as `Room`. */
  load: () => Promise<{ Room: () => ReactNode }>
}

/** The rooms that there are, for a room that points to others; the registry itself imports every room. */
export const RoomsContext = createContext<readonly Room[]>([])

/** The rooms that the person may enter here. */
export function useOpenRooms(): readonly Room[] {
  const { permissions } = useScope()
  return use(RoomsContext).filter(({ permission }) => permission === undefined || permissions.has(permission))
}
