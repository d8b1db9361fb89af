/** The tools that an MCP server names: what it offers now, what was accepted, and what has changed since. */

import type { Connection, ConnectionTool } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { RefreshCw, ShieldCheck, Wrench } from 'lucide-react'
import { useState } from 'react'
import { useApiAction, useApiMutation, usePagedQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { type BadgeState, StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choices.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { count } from '../../ui/format.ts'
import { ChangedLines } from '../../ui/lines/changed-lines.tsx'
import { EmptyState, Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { actionsColumn, type Column, PagedTable } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'

export function RemoteTools({ connection: { id, status } }: { connection: Connection }) {
  const mayWrite = useMay('integrations:write')
  const [opened, setOpened] = useState<readonly ConnectionTool[]>([])
  const tools = usePagedQuery(['integrations', 'tools', id], (atrium, query, options) =>
    atrium.integrations.tools.list(id, query, options),
  )
  const refresh = useApiAction(atrium => atrium.integrations.tools.refresh(id), {
    changes: [['integrations']],
    done: ({ added, changed, removed, note }) => {
      const title = `${added} new, ${changed} changed, ${removed} gone`
      return note === null ? { title } : { title, description: note }
    },
  })
  const waiting = tools.data?.items.filter(canBeAccepted) ?? []
  const columns: Column<ConnectionTool>[] = [
    // On a card, its words end before the button in the corner.
    { header: 'Tool', className: 'max-sm:pr-24', cell: tool => <ToolWords tool={tool} /> },
    { header: 'State', cell: tool => <StateBadge {...stateWords[tool.status]} /> },
    {
      header: 'Calls',
      cell: ({ needsApproval }) => (needsApproval ? 'Wait for an approval' : 'Are made at once'),
    },
    actionsColumn(tool => (
      <Button
        size="small"
        aria-label={`Look at ${visible(tool.remoteName)}`}
        onClick={() => setOpened([tool])}
      >
        {mayWrite && canBeAccepted(tool) ? 'Review…' : 'Details…'}
      </Button>
    )),
  ]
  return (
    <Section
      title="Tools"
      actions={
        mayWrite && (
          <>
            {waiting.length > 1 && (
              <Button icon={ShieldCheck} onClick={() => setOpened(waiting)}>
                Review {count(waiting.length, 'tool')}…
              </Button>
            )}
            <Button
              icon={RefreshCw}
              busy={refresh.isPending}
              disabled={status !== 'active'}
              onClick={() => refresh.run()}
            >
              Read again
            </Button>
          </>
        )
      }
    >
      {waiting.length > 0 && (
        <Notice tone="warn" title={`${count(waiting.length, 'tool')} to review`}>
          Agents use a tool once a member has accepted it. The server writes what the tool says, which can try
          to mislead a model.
        </Notice>
      )}
      <PagedTable
        query={tools}
        caption="Tools"
        columns={columns}
        rowKey={({ name }) => name}
        waitingRows={3}
        empty={
          <EmptyState icon={Wrench} title="The server has named no tools">
            Read them again once the server has some.
          </EmptyState>
        }
      />
      {opened.length > 0 && (
        <ReviewDialog connectionId={id} tools={opened} mayWrite={mayWrite} onClose={() => setOpened([])} />
      )}
    </Section>
  )
}

const canBeAccepted = ({ status }: ConnectionTool): boolean => status === 'new' || status === 'changed'

const stateWords: Readonly<Record<ConnectionTool['status'], BadgeState>> = {
  new: { label: 'New', tone: 'warn' },
  accepted: { label: 'Accepted', tone: 'good' },
  changed: { label: 'Changed', tone: 'danger' },
  missing: { label: 'Not offered any more', tone: 'neutral' },
  unusable: { label: 'Cannot be used', tone: 'neutral' },
}

function ToolWords({ tool: { remoteName, offered, accepted, fault } }: { tool: ConnectionTool }) {
  const { description = '' } = accepted ?? offered ?? {}
  return (
    <>
      <span dir="auto" className="block font-mono text-[13px] font-medium break-all">
        {visible(remoteName)}
      </span>
      <span dir="auto" className="line-clamp-2 block text-[13px] text-muted">
        {visible(fault ?? description)}
      </span>
    </>
  )
}

type ReviewProps = {
  connectionId: string
  tools: readonly ConnectionTool[]
  mayWrite: boolean
  onClose: () => void
}

/** What is accepted is what is shown: the hash goes with it. */
function ReviewDialog({ connectionId, tools, mayWrite, onClose }: ReviewProps) {
  const toasts = useToasts()
  const [waits, setWaits] = useState<Readonly<Record<string, boolean>>>({})
  const { mutate, error, isPending } = useApiMutation(
    (atrium, changes: Change[]) => atrium.integrations.tools.change(connectionId, changes),
    { changes: [['integrations'], ['agents', 'tools']] },
  )
  const [first] = tools
  const isReview = tools.every(canBeAccepted)
  const send = (changes: Change[], title: string) =>
    mutate(changes, {
      onSuccess: () => {
        toasts.show({ title })
        onClose()
      },
    })
  // What was decided for the tool as it was does not hold for what it has become.
  const needsApproval = (tool: ConnectionTool) =>
    waits[tool.name] ?? (tool.needsApproval || (tool.status === 'changed' && !claimsToRead(tool)))
  const accept = () =>
    send(
      tools.map(tool =>
        withoutUndefined<Change>({
          name: tool.name,
          needsApproval: needsApproval(tool),
          accept: isReview ? (tool.hash ?? undefined) : undefined,
        }),
      ),
      isReview ? `${count(tools.length, 'tool')} accepted` : 'The tool is changed',
    )
  const turnOff = () => send([{ name: first?.name ?? '', accept: null }], 'The tool is off')
  const isFixed = !mayWrite || (!isReview && first?.accepted === null)
  return (
    <FormDialog
      onClose={onClose}
      size="large"
      title={tools.length === 1 ? visible(first?.remoteName ?? '') : `Review ${count(tools.length, 'tool')}`}
      description="Written by the server. Characters that cannot be seen stand as ⟨U+…⟩."
      submitLabel={isFixed ? 'Close' : isReview ? 'Accept' : 'Save'}
      busy={isPending}
      error={error}
      onSubmit={isFixed ? onClose : accept}
    >
      {tools.map(tool => (
        <div key={tool.name} className="flex min-w-0 flex-col gap-3 border-b pb-4 last:border-b-0">
          {tools.length > 1 && (
            <h3 className="font-mono text-[13px] font-medium break-all">{visible(tool.remoteName)}</h3>
          )}
          {tool.fault !== null && <Notice tone="warn">{visible(tool.fault)}</Notice>}
          <ChangedLines
            label={`What ${visible(tool.remoteName)} is`}
            before={wordsOf(tool.accepted ?? tool.offered)}
            after={wordsOf(tool.offered ?? tool.accepted)}
          />
          {!isFixed && (
            <Switch
              label="Each call waits for an approval"
              hint={
                claimsToRead(tool)
                  ? 'The server claims that the tool changes nothing. No person has checked that.'
                  : 'The server does not say that the tool changes nothing.'
              }
              checked={needsApproval(tool)}
              onChange={isOn => setWaits({ ...waits, [tool.name]: isOn })}
            />
          )}
        </div>
      ))}
      {mayWrite && tools.length === 1 && first?.accepted != null && (
        <div>
          <Button variant="danger" size="small" onClick={turnOff}>
            Turn off
          </Button>
        </div>
      )}
    </FormDialog>
  )
}

const claimsToRead = ({ offered }: ConnectionTool): boolean => offered?.annotations.readOnlyHint === true

type Change = { name: string; accept?: string | null; needsApproval?: boolean }

/** One text of all that is pinned. */
function wordsOf(definition: ConnectionTool['offered']): string {
  if (definition === null) return ''
  const { description, inputSchema, annotations } = definition
  return visible(
    [
      description,
      `Arguments: ${JSON.stringify(inputSchema, null, 2)}`,
      `Claims: ${JSON.stringify(annotations)}`,
    ].join('\n\n'),
  )
}

/** Signs that a person does not see, and a model reads. */
const visible = (text: string): string =>
  text.replaceAll(
    /\p{Cf}|\p{Co}|\p{Cn}|\p{Variation_Selector}|(?![\n\t])\p{Cc}/gu,
    sign => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
