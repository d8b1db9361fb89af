/** What runs an agent by itself: schedules by the clock, triggers for what other programs send. */
import type { Agent, Schedule, Trigger } from '@atrium/sdk'
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
import { fieldErrorsOf } from '../../api/explain-error.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
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
import { actionsColumn, type Column, Table } from '../../ui/table.tsx'
import { useToasts } from '../../ui/toast.tsx'
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
    stateColumn(),
    {
      header: 'Next run',
      cell: ({ nextTimes: [next, ...later] }) =>
        next === undefined ? (
          <span className="text-muted">None</span>
        ) : (
          <span title={later.map(time => formatMoment(time)).join('\n')}>{formatMoment(next)}</span>
        ),
    },
    lastRunColumn(),
    actsForColumn(names),
    actionsColumn(row =>
      mayWrite ? (
        <StarterMenu kind="schedules" row={row} onEdit={() => setOpen({ kind: 'edit', row })}>
          <MenuItem icon={Trash2} danger onSelect={() => setOpen({ kind: 'delete', row })}>
            Delete…
          </MenuItem>
        </StarterMenu>
      ) : null,
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
      {open?.kind === 'edit' && <ScheduleDialog agent={agent} schedule={open.row} onClose={onClose} />}
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
    stateColumn(),
    lastRunColumn(),
    actsForColumn(names),
    actionsColumn(row =>
      mayWrite ? (
        <StarterMenu kind="triggers" row={row} onEdit={() => setOpen({ kind: 'edit', row })}>
          <MenuItem icon={RefreshCw} onSelect={() => setOpen({ kind: 'rotate', row })}>
            New URL…
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => setOpen({ kind: 'delete', row })}>
            Delete…
          </MenuItem>
        </StarterMenu>
      ) : null,
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
      {open?.kind === 'edit' && <TriggerDialog agent={agent} trigger={open.row} onClose={onClose} />}
      {open?.kind === 'rotate' && <NewUrlDialog trigger={open.row} onClose={onClose} />}
      {open?.kind === 'delete' && <DeleteDialog kind="triggers" row={open.row} onClose={onClose} />}
    </Section>
  )
}

const nameColumn = <Row extends Starter>(below: (row: Row) => string): Column<Row> => ({
  header: 'Name',
  className: 'sm:w-1/3',
  cell: row => (
    <span className="flex min-w-0 flex-col">
      <span dir="auto" className="font-medium break-words">
        {row.name}
      </span>
      <span className="text-[13px] text-muted">{below(row)}</span>
    </span>
  ),
})

const stopReasons: Readonly<Record<string, string>> = {
  access_ended: 'Whom it acts for has lost access.',
  permission_missing: 'Whom it acts for lacks a permission.',
  agent_unreachable: 'Whom it acts for does not reach the agent.',
}

const stateColumn = <Row extends Starter>(): Column<Row> => ({
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
})

const lastRunColumn = <Row extends Starter>(): Column<Row> => ({
  header: 'Last run',
  cell: ({ lastRunId, lastRunAt }) =>
    lastRunId === null ? (
      <RelativeTime time={lastRunAt} />
    ) : (
      <Link to={`/runs/${lastRunId}`} className="underline decoration-dotted underline-offset-3">
        <RelativeTime time={lastRunAt} />
      </Link>
    ),
})

const actsForColumn = <Row extends Starter>(names: ReturnType<typeof useMemberNames>): Column<Row> => ({
  header: 'Acts for',
  cell: ({ actsForUserId: id }) =>
    id === null ? 'The operator' : (names.get(id)?.name ?? 'A former member'),
})

type StarterMenuProps = {
  kind: 'schedules' | 'triggers'
  row: Starter
  onEdit: () => void
  children: ReactNode
}

function StarterMenu({ kind, row: { agentId, id, name, status }, onEdit, children }: StarterMenuProps) {
  const toasts = useToasts()
  const { mutate } = useApiMutation(
    async (atrium, wanted: 'active' | 'paused'): Promise<Starter> =>
      atrium.agents[kind].update(agentId, id, { status: wanted }),
    { changes: [['agents', agentId, kind]] },
  )
  const turn = (wanted: 'active' | 'paused') => mutate(wanted, { onError: toasts.fail })
  return (
    <ActionsMenu of={name}>
      <MenuItem icon={PencilLine} onSelect={onEdit}>
        Edit…
      </MenuItem>
      {status === 'active' ? (
        <MenuItem icon={CirclePause} onSelect={() => turn('paused')}>
          Pause
        </MenuItem>
      ) : (
        <MenuItem icon={CirclePlay} onSelect={() => turn('active')}>
          Resume, on your behalf
        </MenuItem>
      )}
      {children}
    </ActionsMenu>
  )
}

type DialogProps = { onClose: () => void }

const variableNames = (agent: Agent): string[] =>
  Object.keys(agent.variables).map(name => `variables.${name}`)

function ScheduleDialog({
  agent,
  schedule,
  onClose,
}: DialogProps & { agent: Agent; schedule: Schedule | null }) {
  const [fields, setFields] = useState({
    name: schedule?.name ?? '',
    cron: schedule?.cron ?? '0 9 * * 1-5',
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    prompt: schedule?.prompt ?? '',
    variables: schedule?.variables ?? {},
    missedRuns: schedule?.missedRuns ?? 'skip',
  })
  const { mutate, error, isPending } = useApiMutation(
    ({ agents: { schedules } }, { variables, ...others }: typeof fields) => {
      const wanted = { ...others, variables: givenVariables(variables) }
      return schedule === null
        ? schedules.create(agent.id, wanted)
        : schedules.update(agent.id, schedule.id, wanted)
    },
    { changes: [['agents', agent.id, 'schedules']] },
  )
  const faults = fieldErrorsOf(error)
  const set =
    <Field extends keyof typeof fields>(field: Field) =>
    (value: (typeof fields)[Field]) =>
      setFields({ ...fields, [field]: value })
  return (
    <FormDialog
      onClose={onClose}
      title={schedule === null ? 'New schedule' : `Edit “${schedule.name}”`}
      description="Its runs act for you, and stop once you may not run the agent any more."
      submitLabel={schedule === null ? 'Create the schedule' : 'Save'}
      busy={isPending}
      error={error}
      beside={['name', 'cron', 'timeZone', 'prompt', ...variableNames(agent)]}
      onSubmit={() => mutate(fields, { onSuccess: onClose })}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        value={fields.name}
        onChange={set('name')}
        error={faults.name}
      />
      <TextField
        label="When"
        hint="Minute, hour, day, month, day of the week: “0 9 * * 1-5” is nine o’clock from Monday to Friday."
        required
        maxLength={100}
        value={fields.cron}
        onChange={set('cron')}
        error={faults.cron}
      />
      <TextField
        label="Time zone"
        required
        maxLength={64}
        value={fields.timeZone}
        onChange={set('timeZone')}
        error={faults.timeZone}
      />
      <TextareaField
        label="Prompt"
        required
        rows={4}
        maxLength={100_000}
        value={fields.prompt}
        onChange={set('prompt')}
        error={faults.prompt}
      />
      <VariableFields agent={agent} values={fields.variables} onChange={set('variables')} errors={faults} />
      <SelectField
        label="If the server was down at that time"
        value={fields.missedRuns}
        onChange={set('missedRuns')}
        options={[
          { value: 'skip', label: 'Wait for the next time' },
          { value: 'runOnce', label: 'Run once when it is back' },
        ]}
      />
    </FormDialog>
  )
}

type Secrets = { url?: string | undefined; secret?: string | undefined }

function TriggerDialog({ agent, trigger, onClose }: DialogProps & { agent: Agent; trigger: Trigger | null }) {
  const [fields, setFields] = useState({
    name: trigger?.name ?? '',
    promptTemplate: trigger?.promptTemplate ?? '',
    variables: trigger?.variables ?? {},
    requireSignature: trigger?.requireSignature ?? false,
    requestsPerMinute: String(trigger?.requestsPerMinute ?? 60),
  })
  const { mutate, error, isPending, data } = useApiMutation(
    (
      { agents: { triggers } },
      { variables, requestsPerMinute, ...others }: typeof fields,
    ): Promise<Trigger & Secrets> => {
      const wanted = {
        ...others,
        variables: givenVariables(variables),
        requestsPerMinute: Number(requestsPerMinute),
      }
      return trigger === null
        ? triggers.create(agent.id, wanted)
        : triggers.update(agent.id, trigger.id, wanted)
    },
    { changes: [['agents', agent.id, 'triggers']] },
  )
  const faults = fieldErrorsOf(error)
  const set =
    <Field extends keyof typeof fields>(field: Field) =>
    (value: (typeof fields)[Field]) =>
      setFields({ ...fields, [field]: value })
  if (data !== undefined && trigger === null) return <SecretsDialog of={data} onClose={onClose} />
  const closeOfOld = trigger === null ? {} : { onSuccess: onClose }
  return (
    <FormDialog
      onClose={onClose}
      title={trigger === null ? 'New trigger' : `Edit “${trigger.name}”`}
      description="Its runs act for you, and stop once you may not run the agent any more."
      submitLabel={trigger === null ? 'Create the trigger' : 'Save'}
      busy={isPending}
      error={error}
      beside={['name', 'promptTemplate', 'requestsPerMinute', ...variableNames(agent)]}
      onSubmit={() => mutate(fields, closeOfOld)}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        value={fields.name}
        onChange={set('name')}
        error={faults.name}
      />
      <TextareaField
        label="Prompt"
        hint="{{body.path.to.field}} stands for a field of the payload, {{body.field|text}} for one with a default."
        required
        rows={4}
        maxLength={20_000}
        value={fields.promptTemplate}
        onChange={set('promptTemplate')}
        error={faults.promptTemplate}
      />
      <VariableFields agent={agent} values={fields.variables} onChange={set('variables')} errors={faults} />
      <TextField
        label="Requests a minute"
        type="number"
        required
        min={1}
        max={600}
        value={fields.requestsPerMinute}
        onChange={set('requestsPerMinute')}
        error={faults.requestsPerMinute}
      />
      <Checkbox
        label="Take signed requests only"
        hint="The sender signs with the secret, by Standard Webhooks. Otherwise the URL is enough."
        checked={fields.requireSignature}
        onChange={set('requireSignature')}
      />
    </FormDialog>
  )
}

function NewUrlDialog({ trigger, onClose }: DialogProps & { trigger: Trigger }) {
  const { mutate, error, isPending, data } = useApiMutation(
    (atrium, overlapSeconds: number) =>
      atrium.agents.triggers.rotate(trigger.agentId, trigger.id, { overlapSeconds }),
    { changes: [['agents', trigger.agentId, 'triggers']] },
  )
  if (data !== undefined) return <SecretsDialog of={data} onClose={onClose} />
  return (
    <RotateDialog
      onClose={onClose}
      title={`A new URL for “${trigger.name}”?`}
      description="The trigger gets a new URL and a new secret, and acts for you from now on."
      hint="Long enough to put the new ones into every program that sends something."
      usualSeconds={3_600}
      busy={isPending}
      error={error}
      onRotate={mutate}
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
  const { mutateAsync } = useApiMutation(
    (atrium, wanted: string) => atrium.agents[kind].delete(agentId, wanted),
    {
      changes: [['agents', agentId, kind]],
    },
  )
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete “${name}”?`}
      confirmLabel="Delete"
      onConfirm={() => mutateAsync(id)}
      done={`“${name}” is deleted`}
    >
      <p>
        It starts no more runs{kind === 'triggers' && ', and its URL leads nowhere'}. This cannot be taken
        back. Runs that it has started go on.
      </p>
    </ConfirmDialog>
  )
}
