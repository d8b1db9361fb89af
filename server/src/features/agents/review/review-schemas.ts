/** The wire format of comparisons of two runs, and of reruns. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, nullable } from '../../../platform/schemas.ts'
import { FieldChange } from '../definitions/agent-schemas.ts'
import { feedbackExample } from '../records/answer-schemas.ts'
import { Citation, Run, runExample } from '../records/run-schemas.ts'
import { stepOutline } from '../records/step-schemas.ts'

export const ComparisonQuery = Type.Object({
  with: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Id of another run of the same agent; by default the run that this one repeats (`rerunOf`).',
      examples: [exampleId('run')],
    }),
  ),
})

const { id, agentRevision, model, status, output, structuredOutput, usage, error } = Run.properties
const { feedback, rerunOf, createdAt, durationMs } = Run.properties

const Side = Type.Closed('ComparedRun', {
  id,
  rerunOf,
  agentRevision,
  model,
  status,
  output,
  structuredOutput,
  error,
  usage,
  durationMs,
  createdAt,
  feedback,
  steps: Type.Array(Type.Closed(stepOutline), {
    description: 'Steps of the run, in order; GET /runs/{id} shows each in full.',
  }),
})

const growth = (what: string) => `The other run's ${what} minus this one's`

export const RunComparison = Type.Closed('RunComparison', {
  run: Side,
  other: Side,
  inputs: Type.Array(FieldChange, {
    description: "Inputs that differ: `before` is this run's value, `after` the other's.",
  }),
  agent: Type.Array(FieldChange, {
    description:
      "Differences between the agent's revisions: `before` is this run's value, `after` the other's.",
  }),
  isSameOutput: Type.Boolean({ description: 'Whether both answers are identical.' }),
  citations: Type.Closed(
    {
      added: Type.Array(Citation, { description: 'Passages that only the other run cites.' }),
      removed: Type.Array(Citation, { description: 'Passages that only this run cites.' }),
      keptCount: Type.Integer({ minimum: 0, description: 'Number of passages that both cite.' }),
    },
    { description: 'Citations, compared by document, version and offsets.' },
  ),
  differences: Type.Closed(
    {
      steps: Type.Integer({ description: `${growth('number of steps')}.` }),
      inputTokens: Type.Integer({ description: `${growth('input tokens')}.` }),
      outputTokens: Type.Integer({ description: `${growth('output tokens')}.` }),
      costUsd: nullable(Type.Number(), {
        description: `${growth('cost in US dollars')}; null if one is unknown.`,
      }),
      durationMs: nullable(Type.Integer(), {
        description: `${growth('duration in milliseconds')}; null if one has none.`,
      }),
    },
    { description: "The other run's usage minus this one's." },
  ),
})
export type RunComparison = Static<typeof RunComparison>
export type ComparedRun = Static<typeof Side>

const sideExample: ComparedRun = {
  id: runExample.id,
  rerunOf: null,
  agentRevision: 1,
  model: runExample.model,
  status: 'succeeded',
  output: runExample.output,
  structuredOutput: null,
  error: null,
  usage: runExample.usage,
  durationMs: 8,
  createdAt: runExample.createdAt,
  feedback: feedbackExample,
  steps: [{ type: 'tool', name: 'search_knowledge', durationMs: 4 }],
}

export const comparisonExample: RunComparison = {
  run: sideExample,
  other: { ...sideExample, id: 'run_01kajz9m2ceq4t7v0x3y6z8abd', rerunOf: sideExample.id, agentRevision: 2 },
  inputs: [],
  agent: [{ field: 'instructions', before: 'Answer kindly.', after: 'Answer kindly and briefly.' }],
  isSameOutput: true,
  citations: { added: [], removed: [], keptCount: 1 },
  differences: { steps: 0, inputTokens: 12, outputTokens: 0, costUsd: 0, durationMs: -2 },
}

export const revisionWords = ['published', 'same', 'latest'] as const

export const Rerun = Type.Closed('Rerun', {
  revision: Type.Optional(
    Type.Unsafe<number | (typeof revisionWords)[number]>({
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', enum: [...revisionWords] },
      ],
      description:
        "Revision of the agent: a number, `published` (the default), `same` (the first run's) or `latest` (may be a draft). Unpublished revisions also need `agents:write`.",
      examples: ['same'],
    }),
  ),
  model: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Model to use instead of the revision's, without a fallback. Also needs `agents:write`.",
    }),
  ),
})
export type Rerun = Static<typeof Rerun>
