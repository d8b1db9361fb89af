/** The end of the workspace, with thirty days to think again. */
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { ExportList } from './export-list.tsx'

type Props = { name: string; slug: string }

export function DeleteCard({ name, slug }: Props) {
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

function DeleteDialog({ name, slug, onClose }: Props & { onClose: () => void }) {
  const { mutateAsync } = useApiMutation((atrium, confirm: string) => atrium.workspace.delete(confirm))
  const effects = useApiQuery(['deletion'], (atrium, options) => atrium.workspace.previewDelete(options))
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      confirmLabel="Delete the workspace"
      typed={slug}
      onConfirm={async () => {
        await mutateAsync(slug)
        window.location.assign('/')
      }}
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
