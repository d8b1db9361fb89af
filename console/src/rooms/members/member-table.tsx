/** The members, and what can be done with each. */
import type { Member } from '@atrium/sdk'
import { Ellipsis, ShieldCheck, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { roleLabel, rolesWithin } from './roles.ts'
import { useTeamNames } from './team-names.ts'

type Asked = { kind: 'role' | 'remove'; member: Member }

export function MemberTable({ members, mayWrite }: { members: readonly Member[]; mayWrite: boolean }) {
  const { role } = useScope()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  const within = rolesWithin(role).map(({ value }) => value)
  const actions: Column<Member> = {
    header: 'Actions',
    headerHidden: true,
    align: 'end',
    cell: member =>
      within.includes(member.role) && (
        <MemberMenu member={member} onAsk={kind => setAsked({ kind, member })} />
      ),
  }
  return (
    <>
      <Table
        caption="Members"
        columns={mayWrite ? [...columns, actions] : columns}
        rows={members}
        rowKey={({ id }) => id}
      />
      {asked?.kind === 'role' && <RoleDialog member={asked.member} onClose={close} />}
      {asked?.kind === 'remove' && <RemoveDialog member={asked.member} onClose={close} />}
    </>
  )
}

const columns: readonly Column<Member>[] = [
  { header: 'Name', cell: member => <Name member={member} /> },
  { header: 'Role', cell: ({ role }) => roleLabel(role) },
  { header: 'Teams', cell: ({ teamIds }) => <Teams teamIds={teamIds} /> },
  { header: 'Last active', cell: ({ lastActiveAt }) => <RelativeTime time={lastActiveAt} /> },
]

function Name({ member: { userId, name, email, kind } }: { member: Member }) {
  const person = usePerson()
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <span dir="auto" className="min-w-0 font-medium break-words">
          {name}
        </span>
        {userId === person.id && <Badge tone="accent">You</Badge>}
        {kind === 'service' && <Badge>Service account</Badge>}
      </span>
      {/* A service account's address is made up and receives no mail. */}
      {kind === 'person' && <span className="block text-[12px] break-all text-muted">{email}</span>}
    </>
  )
}

function Teams({ teamIds }: { teamIds: readonly string[] }) {
  const namesOf = useTeamNames()
  if (teamIds.length === 0) return <span className="text-muted">None</span>
  return (
    <span className="flex min-w-0 flex-wrap justify-end gap-1.5 sm:justify-start">
      {namesOf(teamIds).map(name => (
        <Badge key={name}>{name}</Badge>
      ))}
    </span>
  )
}

function MemberMenu({ member, onAsk }: { member: Member; onAsk: (kind: Asked['kind']) => void }) {
  const person = usePerson()
  return (
    <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${member.name}`} size="small" />}>
      <MenuItem icon={ShieldCheck} onSelect={() => onAsk('role')}>
        Change the role…
      </MenuItem>
      {/* Members cannot remove themselves here; they leave in the workspace settings. */}
      {member.userId !== person.id && (
        <MenuItem icon={UserMinus} danger onSelect={() => onAsk('remove')}>
          Remove…
        </MenuItem>
      )}
    </Menu>
  )
}
