/** Two runs of an agent side by side: what was asked, who answered, what came of it, and what it took. */
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { invalidField, notFound } from '../../../platform/errors.ts'
import { decodeContent } from '../definitions/agent-content.ts'
import { findRevision } from '../definitions/agent-store.ts'
import { fieldChanges } from '../definitions/field-changes.ts'
import type { ReachedContents } from '../definitions/reached-content.ts'
import { inputsOf } from '../records/run-inputs.ts'
import { presentRun, type RunRecord } from '../records/run-present.ts'
import { recordOf } from '../records/run-records.ts'
import type { Citation, Run } from '../records/run-schemas.ts'
import { findRun } from '../records/run-store.ts'
import type { ComparedRun, RunComparison } from './comparison-schemas.ts'

/** With the run that it repeats unless another is named. Throws a 400 that names `with` where that is no run of the same agent. */
export type CompareRuns = (caller: Caller, id: string, otherId?: string) => Promise<RunComparison>

export function createCompareRuns({
  database: { read },
  reachedContents,
}: {
  database: Database
  reachedContents: ReachedContents
}): CompareRuns {
  async function recordFor(caller: Caller, id: string): Promise<RunRecord | undefined> {
    const row = await findRun(caller.scope, read, id)
    return row === undefined ? undefined : await recordOf(read, row)
  }

  /** As far as the caller reaches. Every run's revision is kept. */
  async function contentOf({ scope }: Caller, { row }: RunRecord): Promise<object> {
    const revision = await findRevision(scope, read, row.agent_id, row.agent_revision)
    const contents = revision === undefined ? [] : [decodeContent(revision.content)]
    const [content = {}] = await reachedContents(scope, contents)
    return content
  }

  return async (caller, id, otherId) => {
    const one = await recordFor(caller, id)
    if (one === undefined) throw notFound()
    const wanted = otherId ?? one.row.rerun_of
    if (wanted === null) throw invalidField('with', 'is needed: this run repeats no other')
    const other = await recordFor(caller, wanted)
    if (other?.row.agent_id !== one.row.agent_id) {
      throw invalidField('with', 'There is no run with this id of the same agent')
    }
    const agent = fieldChanges(await contentOf(caller, one), await contentOf(caller, other))
    const inputs = fieldChanges(inputsOf(one.row), inputsOf(other.row))
    return { ...compare(presentRun(one), presentRun(other)), inputs, agent }
  }
}

const compare = (run: Run, other: Run): Omit<RunComparison, 'inputs' | 'agent'> => {
  const removed = citedOnlyBy(run, other)
  return {
    run: sideOf(run),
    other: sideOf(other),
    isSameOutput: run.output === other.output,
    citations: {
      added: citedOnlyBy(other, run),
      removed,
      keptCount: new Set(run.citations.map(placeOf)).size - new Set(removed.map(placeOf)).size,
    },
    differences: {
      steps: other.steps.length - run.steps.length,
      inputTokens: other.usage.inputTokens - run.usage.inputTokens,
      outputTokens: other.usage.outputTokens - run.usage.outputTokens,
      costUsd: growth(run.usage.costUsd, other.usage.costUsd),
      durationMs: growth(run.durationMs, other.durationMs),
    },
  }
}

const sideOf = (run: Run): ComparedRun => {
  const { id, rerunOf, agentRevision, model, status, output, structuredOutput } = run
  const { error, usage, durationMs, createdAt, feedback } = run
  const steps = run.steps.map(({ type, name, durationMs }) => ({ type, name, durationMs }))
  const asked = { id, rerunOf, agentRevision, model, createdAt }
  return { ...asked, status, output, structuredOutput, error, usage, durationMs, feedback, steps }
}

function citedOnlyBy(one: Run, other: Run): Citation[] {
  const places = new Set(other.citations.map(placeOf))
  return one.citations.filter(citation => !places.has(placeOf(citation)))
}

const placeOf = ({ documentId, documentVersion, startOffset, endOffset }: Citation): string =>
  [documentId, documentVersion, startOffset, endOffset].join(' ')

const growth = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : after - before
