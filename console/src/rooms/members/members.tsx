/** Who belongs to the workspace, who is invited, and who is no person. */

import type { Atrium, Member } from '@atrium/sdk'
import { Bot, ShieldCheck, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useRecords } from '../../api/records.tsx'
import { useMay, useScope } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { Invitations, InviteDialog } from './invitations.tsx'
import { roleLabel, rolesWithin } from './roles.ts'

export function Room() {
  const { environment } = useScope()
  const mayWrite = useMay('members:write')
  const [open, setOpen] = useState<'invite' | 'service-account' | null>(null)
  const close = () => setOpen(null)
  const isLive = environment === 'live'
  return (
    <Page
      title="Members"
      description="People, each with a role, and accounts for keys that outlive them."
      actions={
        mayWrite && (
          <>
            {isLive && (
              <Button icon={Bot} onClick={() => setOpen('service-account')}>
                Add a service account
              </Button>
            )}
            <Button variant="primary" icon={UserPlus} onClick={() => setOpen('invite')}>
              Invite a person
            </Button>
          </>
        )
      }
    >
      {mayWrite && !isLive && (
        <Notice title="You are in the sandbox">
          The members are the real ones, and can be changed in the live environment only. Whom you invite here
          gets no mail and becomes no member.
        </Notice>
      )}
      <MemberTable mayWrite={mayWrite && isLive} />
      <Invitations mayWrite={mayWrite} />
      {mayWrite && open === 'invite' && <InviteDialog onClose={close} />}
      {mayWrite && isLive && open === 'service-account' && <ServiceAccountDialog onClose={close} />}
    </Page>
  )
}

type AccountRole = 'admin' | 'member' | 'viewer'
const isAccountRole = (role: string): role is AccountRole => role !== 'owner'
const emptyAccount: { name: string; role: AccountRole } = { name: '', role: 'member' }

/** A member that is no person, for keys that must outlive people. */
function ServiceAccountDialog({ onClose }: { onClose: () => void }) {
  const { role: own } = useScope()
  const { of, sending } = useForm({
    initial: emptyAccount,
    write: (atrium, { name, role }) =>
      atrium.workspace.members.createServiceAccount({ name: name.trim(), role }),
    changes: [['members'], ['overview']],
    done: ({ name }) => ({ title: `${name} is made`, description: 'Now make a key for it.' }),
    onDone: onClose,
  })
  const choices = rolesWithin(own).flatMap(({ value, ...shown }) =>
    isAccountRole(value) ? [{ value, ...shown }] : [],
  )
  return (
    <FormDialog
      onClose={onClose}
      title="New service account"
      description="It never signs in. Keys made for it go on working when people leave, with its role at most."
      submitLabel="Create the account"
      {...sending}
    >
      <TextField
        label="Name"
        hint="What it is for, such as “Nightly import”."
        required
        maxLength={100}
        {...of('name')}
      />
      <Choices legend="Role" choices={choices} {...of('role')} />
    </FormDialog>
  )
}

type OpenDialog = { kind: 'role' | 'remove'; member: Member }

function MemberTable({ mayWrite }: { mayWrite: boolean }) {
  const { role } = useScope()
  const members = usePagedQuery(['members'], (atrium, query, options) =>
    atrium.workspace.members.list(query, options),
  )
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const close = () => setOpenDialog(null)
  const within = rolesWithin(role).map(({ value }) => value)
  const actions = actionsColumn<Member>(
    member =>
      within.includes(member.role) && (
        <MemberMenu member={member} onOpenDialog={kind => setOpenDialog({ kind, member })} />
      ),
  )
  return (
    <>
      <PagedTable
        query={members}
        caption="Members"
        columns={mayWrite ? [...columns, actions] : columns}
        rowKey={({ id }) => id}
      />
      {openDialog?.kind === 'role' && <RoleDialog member={openDialog.member} onClose={close} />}
      {openDialog?.kind === 'remove' && <RemoveDialog member={openDialog.member} onClose={close} />}
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
  const { data } = useRecords('teams')
  if (teamIds.length === 0) return <span className="text-muted">None</span>
  return (
    <span className="flex min-w-0 flex-wrap justify-end gap-1.5 sm:justify-start">
      {teamIds.map(teamId => (
        // One that is not among the first hundred is told by its id.
        <Badge key={teamId}>{data?.items.find(({ id }) => id === teamId)?.name ?? teamId}</Badge>
      ))}
    </span>
  )
}

type MemberMenuProps = { member: Member; onOpenDialog: (kind: OpenDialog['kind']) => void }

function MemberMenu({ member, onOpenDialog }: MemberMenuProps) {
  const person = usePerson()
  return (
    <ActionsMenu of={member.name}>
      <MenuItem icon={ShieldCheck} onSelect={() => onOpenDialog('role')}>
        Change the role…
      </MenuItem>
      {/* Members cannot remove themselves here; they leave in the workspace settings. */}
      {member.userId !== person.id && (
        <MenuItem icon={UserMinus} danger onSelect={() => onOpenDialog('remove')}>
          Remove…
        </MenuItem>
      )}
    </ActionsMenu>
  )
}

function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { role: own } = useScope()
  const person = usePerson()
  const toasts = useToasts()
  const isOwn = member.userId === person.id
  const { fields, of, sending } = useForm({
    initial: { role: member.role },
    write: (atrium, wanted) => atrium.workspace.members.update(member.id, wanted),
    changes: [['members']],
    onDone: ({ role }) => {
      // Many parts of the page depend on the person's own permissions, so the whole page reloads.
      if (isOwn) return window.location.reload()
      toasts.show({ title: `${member.name} is ${roleLabel(role).toLowerCase()} now` })
      onClose()
    },
  })
  const isChanged = fields.role !== member.role
  // A service account is never an owner.
  const choices = rolesWithin(own).filter(({ value }) => member.kind === 'person' || value !== 'owner')
  return (
    <FormDialog
      onClose={onClose}
      title={`The role of ${member.name}`}
      description="What they may do at the most. Their keys follow it within seconds."
      submitLabel="Change the role"
      disabled={!isChanged}
      {...sending}
    >
      <Choices legend="Role" choices={choices} {...of('role')} />
      {isOwn && isChanged && (
        <Notice tone="warn">This is your own role. You cannot give it back to yourself.</Notice>
      )}
    </FormDialog>
  )
}

function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const consequences = useApiQuery(['removal', member.id], (atrium, options) =>
    readConsequences(atrium, member.id, options),
  )
  const isPerson = member.kind === 'person'
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${member.name}?`}
      confirmLabel={isPerson ? 'Remove the member' : 'Remove the account'}
      onConfirm={atrium => atrium.workspace.members.delete(member.id)}
      changes={[['members'], ['invitations'], ['teams'], ['team'], ['api-keys'], ['overview']]}
      done={`${member.name} is removed`}
    >
      {isPerson && (
        <p>They are out within seconds. What they have made stays. To come back, they have to be invited.</p>
      )}
      <Loaded query={consequences}>{found => <Consequences {...found} />}</Loaded>
    </ConfirmDialog>
  )
}

/** More are only counted. */
const mostNamed = 20

type Key = { id: string; name: string; hint: string }
type RemovalEffects = { keys: readonly Key[]; keyCount: number; invitationCount: number }

async function readConsequences(
  atrium: Atrium,
  memberId: string,
  options: { signal: AbortSignal },
): Promise<RemovalEffects> {
  const effects = await atrium.workspace.members.previewDelete(memberId, options)
  const of = (resource: string) => effects.find(effect => effect.resource === resource)
  const keyIds = of('api_key')?.ids ?? []
  return {
    keys: await Promise.all(keyIds.slice(0, mostNamed).map(id => atrium.apiKeys.get(id, options))),
    keyCount: of('api_key')?.count ?? 0,
    invitationCount: of('invitation')?.count ?? 0,
  }
}

function Consequences({ keys, keyCount, invitationCount }: RemovalEffects) {
  return (
    <>
      {keyCount === 0 ? (
        <p>No key stops working.</p>
      ) : (
        <>
          <p>
            <strong className="text-ink">
              {count(keyCount, 'key')} {keyCount === 1 ? 'stops' : 'stop'} working for good:
            </strong>
          </p>
          <ul className="list-disc pl-5">
            {keys.map(({ id, name, hint }) => (
              <li key={id} className="break-words">
                <span dir="auto" className="text-ink">
                  {name}
                </span>{' '}
                <code className="font-mono text-[13px]">{hint}</code>
              </li>
            ))}
            {keyCount > keys.length && <li>and {count(keyCount - keys.length, 'more key')}</li>}
          </ul>
        </>
      )}
      {invitationCount > 0 && <p>{count(invitationCount, 'pending invitation')} made by them end too.</p>}
    </>
  )
}
