/** What an agent was and is: each revision with what it changed; publish one, go back to one, compare two. */

import type { Agent, AgentRevision } from '@atrium/sdk'
import { GitCompare, RotateCcw, Upload } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { useMemberNames } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notices.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { AgentFrame } from './agent-frame.tsx'
import { type FieldChange, FieldChanges, fieldNames } from './field-changes.tsx'

export function Room() {
  return <AgentFrame>{agent => <Revisions key={agent.id} agent={agent} />}</AgentFrame>
}

type OpenDialog = { kind: 'publish' | 'compare'; revision: number }

function Revisions({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const names = useMemberNames()
  const revisions = usePagedQuery(['agents', agent.id, 'revisions'], (atrium, query, options) =>
    atrium.agents.revisions.list(agent.id, query, options),
  )
  const columns = columnsOf({ agent, names, mayWrite, onOpenDialog: setOpenDialog })
  return (
    <section aria-label="Revisions" className="flex min-w-0 flex-col gap-4">
      <h2 className="sr-only">Revisions</h2>
      {agent.revision !== agent.publishedRevision && (
        <Notice
          tone="warn"
          title={`Runs use revision ${agent.publishedRevision}; the latest is ${agent.revision}`}
          action={
            mayWrite && (
              <Button
                icon={Upload}
                onClick={() => setOpenDialog({ kind: 'publish', revision: agent.revision })}
              >
                Publish revision {agent.revision}
              </Button>
            )
          }
        >
          What was changed since then is not used until it is published.
        </Notice>
      )}
      <PagedTable query={revisions} caption="Revisions" columns={columns} rowKey={({ id }) => id} />
      {openDialog?.kind === 'publish' && (
        <PublishDialog agent={agent} revision={openDialog.revision} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog?.kind === 'compare' && (
        <CompareDialog agent={agent} revision={openDialog.revision} onClose={() => setOpenDialog(null)} />
      )}
    </section>
  )
}

type Columns = {
  agent: Agent
  names: ReturnType<typeof useMemberNames>
  mayWrite: boolean
  onOpenDialog: (openDialog: OpenDialog) => void
}

function columnsOf({ agent, names, mayWrite, onOpenDialog }: Columns): Column<AgentRevision>[] {
  return [
    {
      header: 'Revision',
      cell: ({ revision, isPublished }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="font-medium">{revision}</span>
          {isPublished && <Badge tone="good">Runs</Badge>}
          {revision > agent.publishedRevision && <Badge tone="warn">Draft</Badge>}
        </span>
      ),
    },
    {
      header: 'Changed',
      className: 'sm:w-2/5',
      cell: ({ revision, changedFields }) => (
        <span className="min-w-0 text-right sm:text-left">
          {changedFields.length === 0
            ? revision === 1
              ? 'The first'
              : 'Nothing'
            : changedFields.map(field => fieldNames[field] ?? field).join(', ')}
        </span>
      ),
    },
    {
      header: 'By',
      cell: ({ createdBy }) =>
        createdBy === null ? 'The server' : (names.get(createdBy)?.name ?? createdBy),
    },
    { header: 'When', cell: ({ createdAt }) => <RelativeTime time={createdAt} /> },
    actionsColumn(({ revision, isPublished }) => (
      <ActionsMenu of={`revision ${revision}`}>
        <MenuItem icon={GitCompare} onSelect={() => onOpenDialog({ kind: 'compare', revision })}>
          Compare…
        </MenuItem>
        {mayWrite && !isPublished && (
          <MenuItem
            icon={revision > agent.publishedRevision ? Upload : RotateCcw}
            onSelect={() => onOpenDialog({ kind: 'publish', revision })}
          >
            {revision > agent.publishedRevision ? 'Publish…' : 'Roll back to it…'}
          </MenuItem>
        )}
      </ActionsMenu>
    )),
  ]
}

type RevisionDialogProps = { agent: Agent; revision: number; onClose: () => void }

function PublishDialog({ agent, revision, onClose }: RevisionDialogProps) {
  const toasts = useToasts()
  const { mutateAsync } = useApiMutation(({ agents }, wanted: number) => agents.publish(agent.id, wanted), {
    changes: [['agents']],
  })
  const isBack = revision < agent.publishedRevision
  return (
    <ConfirmDialog
      onClose={onClose}
      danger={false}
      title={isBack ? `Roll back to revision ${revision}?` : `Publish revision ${revision}?`}
      confirmLabel={isBack ? 'Roll back' : 'Publish'}
      onConfirm={async () => {
        await mutateAsync(revision)
        toasts.show({
          title: `Revision ${revision} runs now`,
          undo: () => mutateAsync(agent.publishedRevision),
        })
      }}
    >
      <p>
        New runs use it from now on instead of revision {agent.publishedRevision}. Runs that are in progress
        keep the one that they began with.
      </p>
    </ConfirmDialog>
  )
}

function CompareDialog({ agent, revision, onClose }: RevisionDialogProps) {
  const [with_, setWith] = useState(() => String(firstOther(agent, revision)))
  const other = Number(with_)
  const isThere = Number.isInteger(other) && other >= 1 && other <= agent.revision
  const [before, after] = other < revision ? [other, revision] : [revision, other]
  const changes = useApiQuery(
    ['agents', agent.id, 'revisions', 'changes', before, after],
    async (atrium, options) => {
      const [one, two] = await Promise.all(
        [before, after].map(number => atrium.agents.revisions.get(agent.id, number, options)),
      )
      return changesBetween(one?.content ?? {}, two?.content ?? {})
    },
    { enabled: isThere },
  )
  return (
    <Dialog
      onClose={onClose}
      size="large"
      title={`Compare revision ${revision}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex min-w-0 flex-col gap-5">
        <TextField
          label="With revision"
          hint={`1 to ${agent.revision}; ${agent.publishedRevision} is the one that runs.`}
          error={isThere ? undefined : `There are revisions 1 to ${agent.revision}.`}
          type="number"
          min={1}
          max={agent.revision}
          value={with_}
          onChange={setWith}
        />
        {isThere && (
          <Loaded query={changes}>
            {data => <FieldChanges changes={data} of={`${before} and ${after}`} none="They hold the same." />}
          </Loaded>
        )}
      </div>
    </Dialog>
  )
}

/** The one before; for the first, the one that runs. */
const firstOther = (agent: Agent, revision: number): number =>
  revision > 1 ? revision - 1 : Math.max(1, agent.publishedRevision)

function changesBetween(before: object, after: object): FieldChange[] {
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...left.keys(), ...right.keys()])]
    .map(field => ({ field, before: left.get(field), after: right.get(field) }))
    .filter(change => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
