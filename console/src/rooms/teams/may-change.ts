/** Teams are the same in both environments, and changed in the live one only. */
import { useMay, useScope } from '../../api/scope.tsx'

export function useMayChangeTeams(): boolean {
  const { environment } = useScope()
  return useMay('teams:write') && environment === 'live'
}
