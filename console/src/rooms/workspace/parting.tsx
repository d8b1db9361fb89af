/** How one parts with a workspace: hands it over, leaves it, or deletes it. */

import type { Member } from '@atrium/sdk'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import { useRecords } from '../../api/records.tsx'
import { saveFile } from '../../api/save-file.ts'
import { useMay } from '../../api/scope.tsx'
import { usePerson } from '../../session/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Form, SelectField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { Notice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'

/** As many as one page has. */
const mostOffered = 100

export function TransferCard() {
  const person = usePerson()
  const people = useApiQuery(['members', 'people'], (atrium, options) =>
    atrium.workspace.members.list({ kind: 'person', pageSize: mostOffered }, options).page(),
  )
  return (
    <Card
      title="Hand it over"
      description="Another member becomes the owner, and you become an admin, in one step."
    >
      <Loaded query={people}>
        {({ items }) => <TransferForm heirs={items.filter(({ userId }) => userId !== person.id)} />}
      </Loaded>
    </Card>
  )
}

function TransferForm({ heirs }: { heirs: readonly Member[] }) {
  const [heirId, setHeirId] = useState('')
  const [asking, setAsking] = useState(false)
  const heir = heirs.find(({ id }) => id === heirId)
  if (heirs.length === 0) {
    return <p className="text-muted">You are the only person here. Invite somebody first.</p>
  }
  return (
    <Form onSubmit={() => setAsking(true)}>
      <SelectField
        label="New owner"
        required
        value={heirId}
        onChange={setHeirId}
        emptyLabel="Choose a person…"
        options={heirs.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
      />
      <div>
        <Button type="submit" disabled={heir === undefined}>
          Hand it over…
        </Button>
      </div>
      {heir !== undefined && asking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Hand the workspace over to ${heir.name}?`}
          confirmLabel="Hand it over"
          onConfirm={atrium => atrium.workspace.transfer(heir.id)}
          // Many parts of the page depend on the person's own permissions, so the whole page reloads.
          onDone={() => window.location.reload()}
        >
          <p>
            {heir.name} can then delete it, name other owners and change your role. You cannot take it back
            yourself.
          </p>
        </ConfirmDialog>
      )}
    </Form>
  )
}

export function LeaveCard({ name }: { name: string }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Card
        title="Leave"
        description="You are out at once, and your keys here stop working. To come back, you have to be invited."
        actions={<Button onClick={() => setAsking(true)}>Leave…</Button>}
      />
      {asking && <LeaveDialog name={name} onClose={() => setAsking(false)} />}
    </>
  )
}

function LeaveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const effects = useApiQuery(['leaving'], (atrium, options) => atrium.workspace.previewLeave(options))
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Leave ${name}?`}
      confirmLabel="Leave the workspace"
      onConfirm={atrium => atrium.workspace.leave()}
      onDone={() => window.location.assign('/')}
    >
      <Loaded query={effects}>
        {found => {
          const countOf = (resource: string) => found.find(effect => effect.resource === resource)?.count ?? 0
          return (
            <p>
              <strong className="text-ink">{count(countOf('api_key'), 'key')}</strong> and{' '}
              {count(countOf('invitation'), 'pending invitation')} of yours end for good. What you have made
              stays.
            </p>
          )
        }}
      </Loaded>
    </ConfirmDialog>
  )
}

type DeleteCardProps = { name: string; slug: string }

/** The end of the workspace, with thirty days to think again. */
export function DeleteCard({ name, slug }: DeleteCardProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Card
        danger
        title="Delete the workspace"
        description="Everything in it is refused at once, and erased when the time to restore it is over."
        actions={
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete…
          </Button>
        }
      />
      {asking && <DeleteDialog name={name} slug={slug} onClose={() => setAsking(false)} />}
    </>
  )
}

function DeleteDialog({ name, slug, onClose }: DeleteCardProps & { onClose: () => void }) {
  const effects = useApiQuery(['deletion'], (atrium, options) => atrium.workspace.previewDelete(options))
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${name}?`}
      confirmLabel="Delete the workspace"
      typed={slug}
      onConfirm={atrium => atrium.workspace.delete(slug)}
      onDone={() => window.location.assign('/')}
    >
      <p>
        Every key, every token and every run is refused at once, for everybody. For a while, 30 days unless
        the operator has set another time, an owner can restore it; then it is erased for good:
      </p>
      <Loaded query={effects}>
        {found => (
          <ul className="list-disc pl-5">
            {found
              .filter(effect => effect.count > 0 && effect.resource !== 'workspace')
              .map(effect => (
                <li key={effect.resource}>{count(effect.count, effect.resource.replaceAll('_', ' '))}</li>
              ))}
          </ul>
        )}
      </Loaded>
      <ExportList />
    </ConfirmDialog>
  )
}

/** What can be taken along before a workspace goes: each collection, as the archive that an import takes. */
function ExportList() {
  const mayRead = useMay('knowledge:read')
  const query = useRecords('collections')
  if (!mayRead) return null
  return (
    <Loaded query={query}>
      {({ items, total }) =>
        items.length > 0 && (
          <Notice title="Keep what you need first">
            <p>Each archive holds the files of a collection with their texts, and can be imported again.</p>
            <ul className="mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto">
              {items.map(({ id, name }) => (
                <li key={id} className="flex items-center gap-2">
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {name}
                  </span>
                  <ExportButton id={id} name={name} />
                </li>
              ))}
            </ul>
            {total > items.length && (
              <p className="mt-2">
                These are {items.length} of {total}; the others are exported from the page of the collections.
              </p>
            )}
          </Notice>
        )
      }
    </Loaded>
  )
}

function ExportButton({ id, name }: { id: string; name: string }) {
  const { run, isPending } = useApiAction(atrium =>
    saveFile(() => atrium.knowledge.collections.export(id), `${name}.tar.gz`),
  )
  return (
    <Button size="small" icon={Download} busy={isPending} aria-label={`Export ${name}`} onClick={() => run()}>
      Export
    </Button>
  )
}
