/** Teams are the same in both environments, and changed in the live one only. */
import { useMay, useScope } from '../../api/scope.tsx'
import { Notice } from '../../ui/notices.tsx'

export function useMayChangeTeams(): boolean {
  const { environment } = useScope()
  return useMay('teams:write') && environment === 'live'
}

export function SandboxNotice() {
  const { environment } = useScope()
  const mayWrite = useMay('teams:write')
  if (environment === 'live' || !mayWrite) return null
  return (
    <Notice title="You are in the sandbox">
      The teams are the real ones. Switch to live at the top to change them.
    </Notice>
  )
}
