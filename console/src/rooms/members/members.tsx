/** Who belongs to the workspace, who is invited, and who is no person. */
import { Bot, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { usePagedQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { TableSkeleton } from '../../ui/table.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberTable } from './member-table.tsx'
import { ServiceAccountDialog } from './service-account-dialog.tsx'

const pageSize = 20

export function Room() {
  const { environment } = useScope()
  const mayWrite = useMay('members:write')
  const [open, setOpen] = useState<'invite' | 'service-account' | null>(null)
  const close = () => setOpen(null)
  const isLive = environment === 'live'
  const members = usePagedQuery(['members'], (atrium, query, options) =>
    atrium.workspace.members.list(query, options).page(),
  )
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
      <Loaded query={members} waiting={<TableSkeleton />}>
        {({ items, total }) => (
          <>
            <MemberTable members={items} mayWrite={mayWrite && isLive} />
            <Pager page={members.page} pageSize={pageSize} total={total} onPage={members.setPage} />
          </>
        )}
      </Loaded>
      <Invitations mayWrite={mayWrite} />
      {mayWrite && open === 'invite' && <InviteDialog onClose={close} />}
      {mayWrite && isLive && open === 'service-account' && <ServiceAccountDialog onClose={close} />}
    </Page>
  )
}
