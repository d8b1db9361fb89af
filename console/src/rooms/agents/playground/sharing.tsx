/** Who else reads a conversation: its owner shares it, and an owner or admin of the workspace opens it with a reason. */
import type { Conversation } from '@atrium/sdk'
import { KeyRound, Lock, Users } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../../api/form.ts'
import { useApiQuery } from '../../../api/queries.ts'
import { RecordChoices, useMemberNames } from '../../../api/records.tsx'
import { useMay } from '../../../api/scope.tsx'
import { usePerson } from '../../../session/use-session.ts'
import { Button } from '../../../ui/button.tsx'
import { Choices } from '../../../ui/choices.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { TextareaField } from '../../../ui/field.tsx'
import { formatMoment } from '../../../ui/format.ts'

/** There for the owner of the conversation alone. */
export function ShareButton({ conversationId }: { conversationId: string }) {
  const person = usePerson()
  const [isOpen, setIsOpen] = useState(false)
  const { data } = useApiQuery(['conversations', conversationId], (atrium, options) =>
    atrium.conversations.get(conversationId, options),
  )
  if (data === undefined || data.ownerId !== person.id) return null
  return (
    <>
      <Button size="small" icon={data.access === 'private' ? Lock : Users} onClick={() => setIsOpen(true)}>
        {data.access === 'private' ? 'Share' : 'Shared'}
      </Button>
      {isOpen && <ShareDialog conversation={data} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const accesses: readonly { value: Conversation['access']; label: string; hint: string }[] = [
  { value: 'private', label: 'Only you', hint: 'For everyone else it does not exist.' },
  { value: 'teams', label: 'Some teams', hint: 'Their members read it.' },
  { value: 'workspace', label: 'Everyone', hint: 'The people of this workspace read it; API keys do not.' },
]

function ShareDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { id, access, teamIds } = conversation
  const { fields, of, sending } = useForm({
    initial: { access, teamIds },
    write: ({ conversations }, wanted) =>
      conversations.update(id, wanted.access === 'teams' ? wanted : { ...wanted, teamIds: [] }),
    changes: [['conversations', id]],
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Share the conversation"
      description="Those with whom you share it read it. Only you continue and change it."
      submitLabel="Save"
      {...sending}
    >
      <Choices legend="Who reads it" choices={accesses} {...of('access')} />
      {fields.access === 'teams' && <RecordChoices of="teams" legend="Teams" {...of('teamIds')} />}
      <Openings conversationId={id} />
    </FormDialog>
  )
}

/** Who of the owners and admins has read it, the latest first; nothing where none has. */
function Openings({ conversationId }: { conversationId: string }) {
  const names = useMemberNames()
  const { data } = useApiQuery(['conversations', conversationId, 'openings'], (atrium, options) =>
    atrium.conversations.openings(conversationId, { pageSize: 20 }, options).page(),
  )
  if (data === undefined || data.items.length === 0) return null
  return (
    <section className="flex flex-col gap-2 border-t pt-3">
      <h3 className="font-medium">Opened with a reason</h3>
      <ul className="flex flex-col gap-1.5 text-[13px] text-muted">
        {data.items.map(({ id, openedBy, reason, createdAt }) => (
          <li key={id} className="break-words">
            {names.get(openedBy)?.name ?? openedBy}, {formatMoment(createdAt)}:{' '}
            <span dir="auto">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Below the message that a conversation was not found, for those who may open one of another person. */
export function OpenWithReason({ conversationId, onOpen }: { conversationId: string; onOpen: () => void }) {
  const mayOpen = useMay('audit:read')
  const [isAsking, setIsAsking] = useState(false)
  const { fields, of, sending } = useForm({
    initial: { reason: '' },
    write: (atrium, { reason }) => atrium.conversations.open(conversationId, { reason: reason.trim() }),
    onDone: onOpen,
  })
  if (!mayOpen) return null
  return (
    <div>
      <Button icon={KeyRound} onClick={() => setIsAsking(true)}>
        Open with a reason
      </Button>
      {isAsking && (
        <FormDialog
          onClose={() => setIsAsking(false)}
          title="Open another person’s conversation"
          description="You read it for an hour. The person and the audit log are told that you did, and why."
          submitLabel="Open"
          disabled={fields.reason.trim() === ''}
          {...sending}
        >
          <TextareaField label="Reason" rows={3} maxLength={500} {...of('reason')} />
        </FormDialog>
      )}
    </div>
  )
}
