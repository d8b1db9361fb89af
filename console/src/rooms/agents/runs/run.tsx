/** One run: what was asked and answered, what it did when, what it took, and what is thought of it. */
import type { Run } from '@atrium/sdk'
import { Columns2, MessagesSquare, RotateCw, Square } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiMutation, useApiQuery } from '../../../api/queries.ts'
import { useMay } from '../../../api/scope.tsx'
import { useRoomParam } from '../../../api/search-values.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { Loading, Spinner } from '../../../ui/waiting.tsx'
import { Answer } from '../answer.tsx'
import { Approvals } from '../approvals.tsx'
import { FeedbackButtons } from '../feedback.tsx'
import { stepOf } from '../playground/turn.ts'
import { isUnderWay } from '../run-facts.ts'
import { RunFailure } from '../run-failure.tsx'
import { titlesOf } from '../steps.tsx'
import { ValueBlock } from '../value-block.tsx'
import { RerunDialog } from './rerun-dialog.tsx'
import { RunDetails } from './run-details.tsx'
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
  const { mutateAsync } = useDecide(run.id)
  const steps = run.steps.map(stepOf)
  return (
    <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-6">
        {run.error !== null && <RunFailure error={run.error} />}
        {run.status === 'waiting' && (
          <Card title="It waits for an approval">
            <Approvals
              pending={run.pendingApprovals}
              onDecide={(pending, decision) => mutateAsync({ pending, decision })}
            />
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
          <Spinner size={14} /> It is under way.
        </p>
      ) : (
        <p className="text-muted">There is none.</p>
      )}
      {structuredOutput !== null && (
        <ValueBlock label="Structured output" caption="Structured output" value={structuredOutput} />
      )}
      {feedback?.comment != null && (
        <p className="border-t pt-3 break-words text-muted">
          <span className="font-medium text-ink">What was said of it: </span>
          {feedback.comment}
        </p>
      )}
    </div>
  )
}

type Decision = {
  pending: Run['pendingApprovals'][number]
  decision: { decision: 'approve' | 'reject'; reason?: string }
}

const useDecide = (runId: string) =>
  useApiMutation(
    (atrium, { pending, decision }: Decision) =>
      atrium.runs.decide(pending.runId, [{ toolCallId: pending.toolCallId, ...decision }]),
    { changes: [['runs', runId]] },
  )

function RunActions({ run }: { run: Run }) {
  const mayRun = useMay('agents:run')
  const toasts = useToasts()
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useApiMutation((atrium, _: null) => atrium.runs.cancel(run.id), {
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
      {mayRun && isOver && (
        <Button icon={RotateCw} onClick={() => setIsAsking(true)}>
          Run again
        </Button>
      )}
      {mayRun && !isOver && (
        <Button
          icon={Square}
          busy={cancel.isPending}
          onClick={() => cancel.mutate(null, { onError: toasts.fail })}
        >
          Stop
        </Button>
      )}
      {isAsking && <RerunDialog run={run} onClose={() => setIsAsking(false)} />}
    </>
  )
}
