/** The wire format of a run that is followed: its events, and the ids of events, after which a stream can go on. */
import { type Static, type TSchema, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, stringEnum } from '../../../platform/schemas.ts'
import { Run } from '../records/run-schemas.ts'
import { RunStep } from '../records/step-schemas.ts'

export const textEventTypes = ['text.delta', 'reasoning.delta'] as const
export type TextEventType = (typeof textEventTypes)[number]

/** A run ends with exactly one of these. */
export const endEventTypes = ['run.succeeded', 'run.failed', 'run.cancelled'] as const

export const runEventTypes = [
  'run.queued',
  'run.started',
  'step.started',
  'step.restarted',
  ...textEventTypes,
  'step.finished',
  'run.waiting',
  ...endEventTypes,
] as const
export type RunEventType = (typeof runEventTypes)[number]

const about = {
  runId: idOf('run', { description: 'Id of the run.' }),
  at: Type.String({ format: 'date-time', description: 'When it happened.' }),
}

const stepIndex = Type.Integer({
  minimum: 0,
  description: 'Index of the step in the run’s `steps`, from 0.',
})

const typeOf = <const Types extends readonly RunEventType[]>(types: Types) =>
  stringEnum(types, { description: 'Event type, the same as in the `event:` line.' })

const RunProgressEvent = Type.Closed('RunProgressEvent', {
  type: typeOf(['run.queued', 'run.started']),
  ...about,
  behind: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With `run.queued`, when the run is new: how many runs of its conversation must end before it begins.',
    }),
  ),
})

const StepStartedEvent = Type.Closed('StepStartedEvent', {
  type: typeOf(['step.started']),
  ...about,
  stepIndex,
  stepType: stringEnum(['model', 'tool'], { description: 'Whether a model or a tool is called.' }),
  name: Type.String({ description: 'Name of the model or of the tool.' }),
  toolCallId: Type.Optional(Type.String({ description: 'With a tool: the model’s own id for the call.' })),
  input: Type.Optional(Type.Unknown({ description: 'With a tool: arguments of the call.' })),
})

const StepRestartedEvent = Type.Closed(
  'StepRestartedEvent',
  { type: typeOf(['step.restarted']), ...about, stepIndex },
  { description: 'The step begins again: what was sent of its text before does not count.' },
)

const TextEvent = Type.Closed('TextEvent', {
  type: typeOf(textEventTypes),
  ...about,
  stepIndex,
  text: Type.String({
    description: 'New text since the previous event. Joined in order, these are the whole text.',
  }),
})

const StepFinishedEvent = Type.Closed('StepFinishedEvent', {
  type: typeOf(['step.finished']),
  ...about,
  stepIndex,
  step: Type.Optional(RunStep),
})

const RunResultEvent = Type.Closed('RunResultEvent', {
  type: typeOf(['run.waiting', ...endEventTypes]),
  ...about,
  run: Run,
})

/** The `data` of an event; which fields it has depends on its `type`. */
export const RunEvent = Type.Union(
  [RunProgressEvent, StepStartedEvent, StepRestartedEvent, TextEvent, StepFinishedEvent, RunResultEvent],
  { title: 'RunEvent', description: 'An event of a run; later versions may send more types.' },
)

/** An event as the server reads and makes it: one type with the fields of all event types. */
export type RunEvent = { type: RunEventType } & FieldsOf<typeof RunProgressEvent> &
  Partial<
    FieldsOf<typeof StepStartedEvent> &
      FieldsOf<typeof TextEvent> &
      FieldsOf<typeof StepFinishedEvent> &
      FieldsOf<typeof RunResultEvent>
  >

type FieldsOf<Schema extends TSchema> = Omit<Static<Schema>, 'type'>

export const runEventExample: RunEvent = {
  type: 'text.delta',
  runId: exampleId('run'),
  at: '2026-11-21T09:30:00.004Z',
  stepIndex: 0,
  text: 'Every full-time',
}

/** How far a follower has read: `offset` UTF-16 units of the text at `position`, or the whole event there. */
export type Cursor = { position: number; offset: number }

export const beginning: Cursor = { position: 0, offset: 0 }

export const formatEventId = ({ position, offset }: Cursor, isText: boolean): string =>
  isText ? `${position}-${offset}` : String(position)

/** Null if the text is not the id of an event. */
export function parseEventId(id: string): Cursor | null {
  const [, position, offset] = /^(\d{1,12})(?:-(\d{1,9}))?$/.exec(id.trim()) ?? []
  if (position === undefined) return null
  return {
    position: Number(position),
    offset: offset === undefined ? Number.MAX_SAFE_INTEGER : Number(offset),
  }
}

export const endEventOf = (status: 'succeeded' | 'failed' | 'cancelled') => `run.${status}` as const
