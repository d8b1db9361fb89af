/** What goes over the wire about a run that is followed: its events, and how one is named so that a stream goes on behind it. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, stringEnum } from '../../../platform/schemas.ts'
import { Run, RunStep } from '../records/run-schemas.ts'

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

const step = Type.Integer({ minimum: 0, description: 'Index of the step in the run’s `steps`, from 0.' })

/** The `data` of an event; which fields it has depends on its `type`. */
export const RunEvent = Type.Object(
  {
    type: stringEnum(runEventTypes, { description: 'Event type, the same as in the `event:` line.' }),
    runId: idOf('run', { description: 'Id of the run.' }),
    at: Type.String({ format: 'date-time', description: 'When it happened.' }),
    stepIndex: Type.Optional(step),
    stepType: Type.Optional(
      stringEnum(['model', 'tool'], { description: 'With `step.started`: type of the step.' }),
    ),
    name: Type.Optional(
      Type.String({ description: 'With `step.started`: the name of the model or of the tool.' }),
    ),
    toolCallId: Type.Optional(
      Type.String({ description: 'With `step.started` of a tool: the model’s own id for the call.' }),
    ),
    input: Type.Optional(Type.Unknown({ description: 'With `step.started` of a tool: its arguments.' })),
    text: Type.Optional(
      Type.String({
        description:
          'With `text.delta` and `reasoning.delta`: new text since the previous event. Joined in order, these are the whole text.',
      }),
    ),
    step: Type.Optional(RunStep),
    run: Type.Optional(Run),
  },
  { title: 'RunEvent', additionalProperties: false },
)
export type RunEvent = Static<typeof RunEvent>

export const runEventExample: RunEvent = {
  type: 'text.delta',
  runId: exampleId('run'),
  at: '2026-11-21T09:30:00.004Z',
  stepIndex: 0,
  text: 'Every full-time',
}

/** Where a follower stands: behind so many UTF-16 units of the text at a position, or behind the whole event there. */
export type Cursor = { position: number; offset: number }

export const beginning: Cursor = { position: 0, offset: 0 }

export const formatEventId = ({ position, offset }: Cursor, isText: boolean): string =>
  isText ? `${position}-${offset}` : String(position)

/** Null if the text is no id of an event. */
export function parseEventId(id: string): Cursor | null {
  const [, position, offset] = /^(\d{1,12})(?:-(\d{1,9}))?$/.exec(id.trim()) ?? []
  if (position === undefined) return null
  return {
    position: Number(position),
    offset: offset === undefined ? Number.MAX_SAFE_INTEGER : Number(offset),
  }
}

export const endEventOf = (status: 'succeeded' | 'failed' | 'cancelled') => `run.${status}` as const
