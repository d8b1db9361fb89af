/** What differs between two revisions, or between the inputs of two runs: field by field, texts line by line. */
import { ChangedLines } from '../../ui/lines/changed-lines.tsx'
import { textOf } from './value-block.tsx'

export type FieldChange = { field: string; before: unknown; after: unknown }

type FieldChangesProps = {
  changes: readonly FieldChange[]
  /** What the fields belong to; makes the labels unique on a page with several. */
  of: string
  none: string
}

export function FieldChanges({ changes, of, none }: FieldChangesProps) {
  if (changes.length === 0) return <p className="text-muted">{none}</p>
  return (
    <ul className="flex min-w-0 flex-col gap-5">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="min-w-0">
          <p className="mb-1.5 font-medium">{fieldNames[field] ?? field}</p>
          <ChangedLines label={`Change of ${field} of ${of}`} before={shown(before)} after={shown(after)} />
        </li>
      ))}
    </ul>
  )
}

/** Lists stand one entry a line, so that each line says what has come or gone. */
function shown(value: unknown): string {
  const text = Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value ?? '')
  return text === '' || text === '{}' ? '(nothing)' : text
}

export const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  model: 'Model',
  fallbackModel: 'Fallback model',
  instructions: 'Instructions',
  collectionIds: 'Collections',
  tools: 'Tools',
  approvalTools: 'Tools that need an approval',
  functions: 'Functions of your program',
  toolChoice: 'Tool choice',
  httpHosts: 'Hosts',
  agentIds: 'Agents that it may call',
  variables: 'Variables',
  limits: 'Limits',
  modelParameters: 'How the model writes',
  prompt: 'Prompt',
  responseSchema: 'Response schema',
  attachments: 'Attachments',
  endUserId: 'End user',
  metadata: 'Metadata',
}
