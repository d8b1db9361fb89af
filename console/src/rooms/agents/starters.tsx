/** What runs an agent by itself: schedules by the clock, triggers for what other programs send. */
import type { Agent, Atrium, Schedule, Trigger } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import {
  CalendarClock,
  CirclePause,
  CirclePlay,
  PencilLine,
  Plus,
  RefreshCw,
  Trash2,
  Webhook,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type FieldOf, useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiAction, useApiQuery } from '../../api/queries.ts'
import { useMemberNames } from '../../api/records.tsx'
import { useMay } from '../../api/scope.tsx'
import { StateBadge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextareaField, TextField } from '../../ui/field.tsx'
import { formatMoment } from '../../ui/format.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState, Notice } from '../../ui/notices.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RotateDialog, ShownOnceDialog } from '../../ui/secrets.tsx'
import { actionsColumn, type Column, RecordName, Table } from '../../ui/table.tsx'
import { AgentFrame } from './agent-frame.tsx'
import { givenVariables, VariableFields } from './variable-fields.tsx'

export function Room() {
  return (
    <AgentFrame>
      {agent => (
        <div key={agent.id} className="flex min-w-0 flex-col gap-10">
          <Schedules agent={agent} />
          <Triggers agent={agent} />
        </div>
      )}
    </AgentFrame>
  )
}

/** As many as an agent can have. */
const all = { pageSize: 20 }

type Starter = Schedule | Trigger

/** A starter with what is being done with it; null stands for a new one. */
type Open<Row> = { kind: 'edit'; row: Row | null } | { kind: 'delete' | 'rotate'; row: Row } | null

function Schedules({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const [open, setOpen] = useState<Open<Schedule>>(null)
  const names = useMemberNames()
  const schedules = useApiQuery(['agents', agent.id, 'schedules'], (atrium, options) =>
    atrium.agents.schedules.list(agent.id, all, options).page(),
  )
  const create = mayWrite && (
    <Button icon={Plus} onClick={() => setOpen({ kind: 'edit', row: null })}>
      New schedule
    </Button>
  )
  const columns: Column<Schedule>[] = [
    nameColumn(({ cron, timeZone }) => `${cron} · ${timeZone}`),
    stateColumn,
    {
      header: 'Next run',
      cell: ({ nextTimes: [next, ...later] }) =>
        next === undefined ? (
          <span className="text-muted">None</span>
        ) : (
          <span title={later.map(time => formatMoment(time)).join('\n')}>{formatMoment(next)}</span>
        ),
    },
    lastRunColumn,
    actsForColumn(names),
    actionsColumn(row =>
      mayWrite ? <StarterMenu kind="schedules" row={row} onOpen={kind => setOpen({ kind, row })} /> : null,
    ),
  ]
  const onClose = () => setOpen(null)
  return (
    <Section title="Schedules" actions={create}>
      <Loaded query={schedules}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={CalendarClock} title="No schedules yet">
              A schedule runs the agent by the clock, such as each morning. Its runs act for you.
            </EmptyState>
          ) : (
            <Table caption="Schedules" columns={columns} rows={items} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {open?.kind === 'edit' && <ScheduleDialog agent={agent} row={open.row} onClose={onClose} />}
      {open?.kind === 'delete' && <DeleteDialog kind="schedules" row={open.row} onClose={onClose} />}
    </Section>
  )
}

function Triggers({ agent }: { agent: Agent }) {
  const mayWrite = useMay('agents:write')
  const [open, setOpen] = useState<Open<Trigger>>(null)
  const names = useMemberNames()
  const triggers = useApiQuery(['agents', agent.id, 'triggers'], (atrium, options) =>
    atrium.agents.triggers.list(agent.id, all, options).page(),
  )
  const create = mayWrite && (
    <Button icon={Plus} onClick={() => setOpen({ kind: 'edit', row: null })}>
      New trigger
    </Button>
  )
  const columns: Column<Trigger>[] = [
    nameColumn(({ requireSignature }) => (requireSignature ? 'Signed requests only' : 'The URL is enough')),
    stateColumn,
    lastRunColumn,
    actsForColumn(names),
    actionsColumn(row =>
      mayWrite ? <StarterMenu kind="triggers" row={row} onOpen={kind => setOpen({ kind, row })} /> : null,
    ),
  ]
  const onClose = () => setOpen(null)
  return (
    <Section title="Triggers" actions={create}>
      <Loaded query={triggers}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={Webhook} title="No triggers yet">
              A trigger is a URL: each payload that another program sends there starts a run. Its runs act for
              you.
            </EmptyState>
          ) : (
            <Table caption="Triggers" columns={columns} rows={items} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {open?.kind === 'edit' && <TriggerDialog agent={agent} row={open.row} onClose={onClose} />}
      {open?.kind === 'rotate' && <NewUrlDialog trigger={open.row} onClose={onClose} />}
      {open?.kind === 'delete' && <DeleteDialog kind="triggers" row={open.row} onClose={onClose} />}
    </Section>
  )
}

const nameColumn = <Row extends Starter>(below: (row: Row) => string): Column<Row> => ({
  header: 'Name',
  className: 'sm:w-1/3',
  cell: row => <RecordName name={row.name} below={below(row)} />,
})

const stopReasons: Readonly<Record<string, string>> = {
  access_ended: 'Whom it acts for has lost access.',
  permission_missing: 'Whom it acts for lacks a permission.',
  agent_unreachable: 'Whom it acts for does not reach the agent.',
}

const stateColumn: Column<Starter> = {
  header: 'State',
  cell: ({ status, stoppedReason, lastError }) => (
    <span className="flex min-w-0 flex-col items-end gap-1 sm:items-start">
      {status === 'active' && <StateBadge tone="good" label="Active" />}
      {status === 'paused' && <StateBadge label="Paused" />}
      {status === 'stopped' && <StateBadge tone="danger" label="Stopped" />}
      {stoppedReason !== null && <span className="text-[13px] text-muted">{stopReasons[stoppedReason]}</span>}
      {status === 'active' && lastError !== null && (
        <span dir="auto" className="text-[13px] break-words text-danger-text">
          {lastError.message}
        </span>
      )}
    </span>
  ),
}

const lastRunColumn: Column<Starter> = {
  header: 'Last run',
  cell: ({ lastRunId, lastRunAt }) =>
    lastRunId === null ? (
      <RelativeTime time={lastRunAt} />
    ) : (
      <Link to={`/runs/${lastRunId}`} className="underline decoration-dotted underline-offset-3">
        <RelativeTime time={lastRunAt} />
      </Link>
    ),
}

const actsForColumn = (names: ReturnType<typeof useMemberNames>): Column<Starter> => ({
  header: 'Acts for',
  cell: ({ actsForUserId: id }) =>
    id === null ? 'The operator' : (names.get(id)?.name ?? 'A former member'),
})

type StarterMenuProps = {
  kind: 'schedules' | 'triggers'
  row: Starter
  onOpen: (kind: 'edit' | 'rotate' | 'delete') => void
}

function StarterMenu({ kind, row: { agentId, id, name, status }, onOpen }: StarterMenuProps) {
  const turn = useApiAction(
    async (atrium, wanted: 'active' | 'paused'): Promise<Starter> =>
      atrium.agents[kind].update(agentId, id, { status: wanted }),
    { changes: [['agents', agentId, kind]] },
  )
  return (
    <ActionsMenu of={name}>
      <MenuItem icon={PencilLine} onSelect={() => onOpen('edit')}>
        Edit…
      </MenuItem>
      {status === 'active' ? (
        <MenuItem icon={CirclePause} onSelect={() => turn.run('paused')}>
          Pause
        </MenuItem>
      ) : (
        <MenuItem icon={CirclePlay} onSelect={() => turn.run('active')}>
          Resume, on your behalf
        </MenuItem>
      )}
      {kind === 'triggers' && (
        <MenuItem icon={RefreshCw} onSelect={() => onOpen('rotate')}>
          New URL…
        </MenuItem>
      )}
      <MenuItem icon={Trash2} danger onSelect={() => onOpen('delete')}>
        Delete…
      </MenuItem>
    </ActionsMenu>
  )
}

type DialogProps = { onClose: () => void }

type StarterFields = { name: string; variables: Readonly<Record<string, string>> }

type StarterDialogProps<Fields extends object, Made> = DialogProps & {
  kind: 'schedule' | 'trigger'
  agent: Agent
  starter: Starter | null
  initial: Fields
  write: (atrium: Atrium, fields: Fields) => Promise<Made>
  /** What is shown once it is made; without it, the dialog closes. */
  shown?: ((made: Made) => ReactNode) | undefined
  /** The inputs of its kind, among them those of the agent's variables. */
  children: (of: FieldOf<Fields>, variables: ReactNode) => ReactNode
}

function StarterDialog<Fields extends StarterFields, Made>(props: StarterDialogProps<Fields, Made>) {
  const { kind, agent, starter, initial, write, shown, children, onClose } = props
  const { of, errors, data, sending } = useForm({
    initial,
    write,
    changes: [['agents', agent.id, `${kind}s`]],
    onDone: () => shown === undefined && onClose(),
  })
  if (data !== undefined && shown !== undefined) return shown(data)
  return (
    <FormDialog
      onClose={onClose}
      title={starter === null ? `New ${kind}` : `Edit “${starter.name}”`}
      description="Its runs act for you, and stop once you may not run the agent any more."
      submitLabel={starter === null ? `Create the ${kind}` : 'Save'}
      {...sending}
      beside={[...sending.beside, ...Object.keys(agent.variables).map(name => `variables.${name}`)]}
    >
      <TextField label="Name" required maxLength={100} {...of('name')} />
      {children(of, <VariableFields agent={agent} {...of('variables')} errors={errors} />)}
    </FormDialog>
  )
}

type AgentDialogProps<Row> = DialogProps & { agent: Agent; row: Row | null }

function ScheduleDialog({ agent, row, onClose }: AgentDialogProps<Schedule>) {
  return (
    <StarterDialog
      kind="schedule"
      agent={agent}
      starter={row}
      onClose={onClose}
      initial={{
        name: row?.name ?? '',
        cron: row?.cron ?? '0 9 * * 1-5',
        timeZone: row?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
        prompt: row?.prompt ?? '',
        variables: row?.variables ?? {},
        missedRuns: row?.missedRuns ?? 'skip',
      }}
      write={({ agents: { schedules } }, { variables, ...others }) => {
        const wanted = { ...others, variables: givenVariables(variables) }
        return row === null ? schedules.create(agent.id, wanted) : schedules.update(agent.id, row.id, wanted)
      }}
    >
      {(of, variables) => (
        <>
          <TextField
            label="When"
            hint="Minute, hour, day, month, day of the week: “0 9 * * 1-5” is nine o’clock from Monday to Friday."
            required
            maxLength={100}
            {...of('cron')}
          />
          <TextField label="Time zone" required maxLength={64} {...of('timeZone')} />
          <TextareaField label="Prompt" required rows={4} maxLength={100_000} {...of('prompt')} />
          {variables}
          <SelectField
            label="If the server was down at that time"
            {...of('missedRuns')}
            options={[
              { value: 'skip', label: 'Wait for the next time' },
              { value: 'runOnce', label: 'Run once when it is back' },
            ]}
          />
        </>
      )}
    </StarterDialog>
  )
}

type Secrets = { url?: string | undefined; secret?: string | undefined }

function TriggerDialog({ agent, row, onClose }: AgentDialogProps<Trigger>) {
  return (
    <StarterDialog
      kind="trigger"
      agent={agent}
      starter={row}
      onClose={onClose}
      initial={{
        name: row?.name ?? '',
        promptTemplate: row?.promptTemplate ?? '',
        variables: row?.variables ?? {},
        requireSignature: row?.requireSignature ?? false,
        requestsPerMinute: String(row?.requestsPerMinute ?? 60),
      }}
      write={(
        { agents: { triggers } },
        { variables, requestsPerMinute, ...others },
      ): Promise<Trigger & Secrets> => {
        const wanted = {
          ...others,
          variables: givenVariables(variables),
          requestsPerMinute: Number(requestsPerMinute),
        }
        return row === null ? triggers.create(agent.id, wanted) : triggers.update(agent.id, row.id, wanted)
      }}
      shown={row === null ? made => <SecretsDialog of={made} onClose={onClose} /> : undefined}
    >
      {(of, variables) => {
        const { value: checked, onChange } = of('requireSignature')
        return (
          <>
            <TextareaField
              label="Prompt"
              hint="{{body.path.to.field}} stands for a field of the payload, {{body.field|text}} for one with a default."
              required
              rows={4}
              maxLength={20_000}
              {...of('promptTemplate')}
            />
            {variables}
            <TextField
              label="Requests a minute"
              type="number"
              required
              min={1}
              max={600}
              {...of('requestsPerMinute')}
            />
            <Checkbox
              label="Take signed requests only"
              hint="The sender signs with the secret, by Standard Webhooks. Otherwise the URL is enough."
              checked={checked}
              onChange={onChange}
            />
          </>
        )
      }}
    </StarterDialog>
  )
}

function NewUrlDialog({ trigger, onClose }: DialogProps & { trigger: Trigger }) {
  const { agentId, id, name } = trigger
  return (
    <RotateDialog
      onClose={onClose}
      title={`A new URL for “${name}”?`}
      description="The trigger gets a new URL and a new secret, and acts for you from now on."
      hint="Long enough to put the new ones into every program that sends something."
      rotate={({ agents }, rotation) => agents.triggers.rotate(agentId, id, rotation)}
      changes={[['agents', agentId, 'triggers']]}
      shown={rotated => <SecretsDialog of={rotated} onClose={onClose} />}
    />
  )
}

function SecretsDialog({ of: { name, url, secret }, onClose }: DialogProps & { of: Trigger & Secrets }) {
  return (
    <ShownOnceDialog onClose={onClose} title={`The URL of “${name}”`} doneLabel="I have kept them">
      <div className="flex flex-col gap-4">
        <Notice tone="warn" title="Keep them now">
          They are shown this once. Every program that knows the URL can start runs.
        </Notice>
        <CopyField label="URL" value={url ?? ''} />
        <CopyField label="Secret for signatures" value={secret ?? ''} />
      </div>
    </ShownOnceDialog>
  )
}

function DeleteDialog({
  kind,
  row: { agentId, id, name },
  onClose,
}: DialogProps & { kind: 'schedules' | 'triggers'; row: Starter }) {
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${name}”?`}
      confirmLabel="Delete"
      onConfirm={atrium => atrium.agents[kind].delete(agentId, id)}
      changes={[['agents', agentId, kind]]}
      done={`“${name}” is deleted`}
    >
      <p>
        It starts no more runs{kind === 'triggers' && ', and its URL leads nowhere'}. This cannot be taken
        back. Runs that it has started go on.
      </p>
    </ConfirmDialog>
  )
}
