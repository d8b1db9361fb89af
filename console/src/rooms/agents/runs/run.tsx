/** One run: what was asked and answered, what it did when, what it took, and what is thought of it. */

import type { Run } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { Link, useNavigate } from '@tanstack/react-router'
import { Columns2, MessagesSquare, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { useForm } from '../../../api/form.ts'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiAction, useApiMutation, useApiQuery } from '../../../api/queries.ts'
import { useMemberNames } from '../../../api/records.tsx'
import { useMay, useScope } from '../../../api/scope.tsx'
import { useRoomParam } from '../../../api/search-values.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { formatDuration, formatMoment, formatNumber } from '../../../ui/format.ts'
import { Card, Page } from '../../../ui/page.tsx'
import { Loading, Spinner } from '../../../ui/waiting.tsx'
import { Answer } from '../answer.tsx'
import { FeedbackButtons } from '../feedback.tsx'
import { type Decide, PendingCalls } from '../pending-calls.tsx'
import { stepOf } from '../playground/turn.ts'
import { costOf, isUnderWay, RunFailure, RunStatusBadge } from '../run-summary.tsx'
import { titlesOf } from '../steps.tsx'
import { useMayChange } from '../use-ownership.ts'
import { ValueBlock } from '../value-block.tsx'
import { Timeline } from './timeline.tsx'

const followMs = 1_500
const waitMs = 5_000

export function Room() {
  const runId = useRoomParam('runId')
  const run = useApiQuery(['runs', runId], (atrium, options) => atrium.runs.get(runId, options), {
    refetchInterval: data =>
      data === undefined || data.finishedAt !== null ? false : isUnderWay(data) ? followMs : waitMs,
  })
  const agentId = run.data?.agentId
  const agent = useApiQuery(
    ['agents', agentId],
    (atrium, options) => atrium.agents.get(agentId ?? '', options),
    { enabled: agentId !== undefined },
  )
  const back =
    agentId === undefined
      ? { to: '/agents', label: 'Agents' }
      : { to: `/agents/${agentId}/runs`, label: `Runs of ${agent.data?.name ?? 'the agent'}` }
  return (
    <Page title="Run" back={back} actions={run.data !== undefined && <RunActions run={run.data} />}>
      <Loaded query={run} waiting={<Loading what="Loading the run" />}>
        {data => <RunPage run={data} />}
      </Loaded>
    </Page>
  )
}

function RunPage({ run }: { run: Run }) {
  const { mutateAsync } = useApiMutation(
    ({ runs }, [{ runId, toolCallId }, decision]: Parameters<Decide>) =>
      runs.decide(runId, [{ toolCallId, ...decision }]),
    { changes: [['runs', run.id]] },
  )
  const steps = run.steps.map(stepOf)
  return (
    <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-6">
        {run.error !== null && <RunFailure error={run.error} />}
        {run.status === 'waiting' && (
          <Card
            title={run.pendingApprovals.length > 0 ? 'It waits for an approval' : 'It waits for your program'}
          >
            <PendingCalls run={run} onDecide={(...decided) => mutateAsync(decided)} />
          </Card>
        )}
        {run.messages !== null && run.messages.length > 1 && (
          <Card title="Messages" description="The prompt was the end of these.">
            <ValueBlock label="Messages" value={run.messages} />
          </Card>
        )}
        <Card title="Prompt">
          <p dir="auto" className="leading-6 break-words whitespace-pre-wrap">
            {run.prompt}
          </p>
        </Card>
        <Card title="Answer" actions={run.finishedAt !== null && <FeedbackButtons key={run.id} run={run} />}>
          <Output run={run} titles={titlesOf(steps)} />
        </Card>
        <Card
          title="Timeline"
          description="What it did, and when. Open a step for what went in and what came out."
        >
          <Timeline run={run} steps={steps} />
        </Card>
      </div>
      <RunDetails run={run} />
    </div>
  )
}

function Output({ run, titles }: { run: Run; titles: ReadonlyMap<string, string> }) {
  const { output, citations, structuredOutput, feedback } = run
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {output !== null ? (
        <Answer text={output} citations={citations} titles={titles} />
      ) : isUnderWay(run) ? (
        <p className="flex items-center gap-2 text-muted">
          <Spinner size={14} /> It is in progress.
        </p>
      ) : (
        <p className="text-muted">There is none.</p>
      )}
      {structuredOutput !== null && <ValueBlock label="Structured output" value={structuredOutput} />}
      {feedback?.comment != null && (
        <p className="border-t pt-3 break-words text-muted">
          <span className="font-medium text-ink">What was said of it: </span>
          {feedback.comment}
        </p>
      )}
    </div>
  )
}

function RunActions({ run }: { run: Run }) {
  const mayChange = useMayChange(run)
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useApiAction(atrium => atrium.runs.cancel(run.id), {
    changes: [
      ['runs', run.id],
      ['agents', run.agentId],
    ],
  })
  const isOver = run.finishedAt !== null
  return (
    <>
      {run.rerunOf !== null && (
        <ButtonLink to={`/runs/${run.rerunOf}/compare`} search={{ with: run.id }} icon={Columns2}>
          Compare with the original
        </ButtonLink>
      )}
      {run.parentRunId === null && (
        <ButtonLink
          to={`/agents/${run.agentId}`}
          search={{ conversation: run.conversationId }}
          icon={MessagesSquare}
        >
          Open the conversation
        </ButtonLink>
      )}
      {mayChange && isOver && (
        <Button icon={RotateCw} onClick={() => setIsAsking(true)}>
          Run again
        </Button>
      )}
      {mayChange && !isOver && (
        <Button icon={Square} busy={cancel.isPending} onClick={() => cancel.run()}>
          Stop
        </Button>
      )}
      {isAsking && <RerunDialog run={run} onClose={() => setIsAsking(false)} />}
    </>
  )
}

const linkLook = 'text-accent-text underline underline-offset-3'

const startedByNames: Readonly<Record<string, string>> = {
  api: 'A program',
  person: 'A person',
  page: 'A page of yours',
  schedule: 'A schedule',
  trigger: 'A trigger',
  agent: 'Another agent',
  rerun: 'A rerun',
  operator: 'The operator',
}

function RunDetails({ run }: { run: Run }) {
  const names = useMemberNames()
  const { usage, variables, metadata, responseSchema } = run
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Card title="Details">
        <Facts
          look="lines"
          facts={[
            { name: 'State', value: <RunStatusBadge status={run.status} /> },
            { name: 'Model', value: <span className="font-mono text-[13px]">{run.model ?? '–'}</span> },
            {
              name: 'Revision',
              value: (
                <Link to={`/agents/${run.agentId}/revisions`} className={linkLook}>
                  {run.agentRevision}
                </Link>
              ),
            },
            { name: 'Asked', value: formatMoment(run.createdAt) },
            { name: 'Took', value: run.durationMs === null ? '–' : formatDuration(run.durationMs) },
            { name: 'Tokens read', value: formatNumber(usage.inputTokens) },
            { name: 'Tokens written', value: formatNumber(usage.outputTokens) },
            { name: 'Cost', value: usage.isEstimate ? `${costOf(usage)} (estimated)` : costOf(usage) },
            { name: 'Started by', value: startedByNames[run.startedBy.type] ?? run.startedBy.type },
            {
              name: 'Whose it is',
              value: run.ownerId === null ? 'The workspace’s' : (names.get(run.ownerId)?.name ?? run.ownerId),
            },
            { name: 'End user', value: run.endUserId },
            {
              name: 'Part of',
              value: run.parentRunId && (
                <Link to={`/runs/${run.parentRunId}`} className={linkLook}>
                  another run
                </Link>
              ),
            },
            { name: 'Number', value: <span className="font-mono text-[12px] break-all">{run.id}</span> },
          ]}
        />
      </Card>
      {Object.keys(variables).length > 0 && <ValueBlock label="Variables" value={variables} />}
      {Object.keys(metadata).length > 0 && <ValueBlock label="Metadata" value={metadata} />}
      {responseSchema !== null && <ValueBlock label="Response schema" value={responseSchema} />}
    </div>
  )
}

const revisions = [
  { value: 'published', label: 'The published one', needsWrite: false },
  { value: 'same', label: 'The one that ran then', needsWrite: true },
  { value: 'latest', label: 'The latest, a draft too', needsWrite: true },
] as const
type Revision = (typeof revisions)[number]['value']
const usualRerun: { revision: Revision; model: string } = { revision: 'published', model: '' }

/** The same inputs once more, on a revision or model of choice; then both answers side by side. */
function RerunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const navigate = useNavigate()
  const mayWrite = useMay('agents:write')
  const { environment } = useScope()
  const models = useApiQuery(
    ['models'],
    (atrium, options) => atrium.models.list({ pageSize: 100 }, options).page(),
    { enabled: mayWrite && environment === 'live' },
  )
  const { of, sending } = useForm({
    initial: usualRerun,
    write: (atrium, { revision, model }) =>
      atrium.runs.rerun(run.id, withoutUndefined({ revision, model: model === '' ? undefined : model })),
    changes: [['agents', run.agentId]],
    onDone: ({ id }) => navigate({ to: `/runs/${run.id}/compare`, search: { with: id } }),
  })
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title="Run it again?"
      description="With the same prompt, variables and memory, in a conversation of its own. Then you see both answers side by side."
      submitLabel="Run again"
      {...sending}
    >
      <SelectField
        label="Revision"
        {...of('revision')}
        options={revisions.filter(({ needsWrite }) => mayWrite || !needsWrite)}
      />
      {mayWrite && environment === 'live' && (
        <SelectField
          label="Model"
          {...of('model')}
          emptyLabel="The revision’s own"
          options={(models.data?.items ?? [])
            .filter(({ purposes }) => purposes.includes('chat'))
            .map(({ id }) => ({ value: id, label: id }))}
        />
      )}
    </FormDialog>
  )
}
