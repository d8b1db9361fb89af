/** The rooms that there are, for a room that points to others; the registry itself imports every room. */
import { createContext, use } from 'react'
import { useScope } from '../api/scope.tsx'
import type { Room } from './room.ts'

export const RoomsContext = createContext<readonly Room[]>([])

/** The rooms that the person may enter here. */
export function useOpenRooms(): readonly Room[] {
  const { permissions } = useScope()
  return use(RoomsContext).filter(({ permission }) => permission === undefined || permissions.has(permission))
}
