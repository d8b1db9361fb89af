/** Taking somebody out of the workspace, with the keys and invitations that end with them. */
import type { Atrium, Member } from '@atrium/sdk'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { useToasts } from '../../ui/toast.tsx'

export function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const toasts = useToasts()
  const consequences = useApiQuery(['removal', member.id], (atrium, options) =>
    readConsequences(atrium, member.id, options),
  )
  const { mutateAsync } = useApiMutation((atrium, id: string) => atrium.workspace.members.delete(id), {
    changes: [['members'], ['invitations'], ['teams'], ['team'], ['api-keys'], ['overview']],
  })
  const isPerson = member.kind === 'person'
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${member.name}?`}
      confirmLabel={isPerson ? 'Remove the member' : 'Remove the account'}
      onConfirm={async () => {
        await mutateAsync(member.id)
        toasts.show({ title: `${member.name} is removed` })
      }}
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
type Found = { keys: readonly Key[]; keyCount: number; invitationCount: number }

async function readConsequences(
  atrium: Atrium,
  memberId: string,
  options: { signal: AbortSignal },
): Promise<Found> {
  const effects = await atrium.workspace.members.previewDelete(memberId, options)
  const of = (resource: string) => effects.find(effect => effect.resource === resource)
  const keyIds = of('api_key')?.ids ?? []
  return {
    keys: await Promise.all(keyIds.slice(0, mostNamed).map(id => atrium.apiKeys.get(id, options))),
    keyCount: of('api_key')?.count ?? 0,
    invitationCount: of('invitation')?.count ?? 0,
  }
}

function Consequences({ keys, keyCount, invitationCount }: Found) {
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
