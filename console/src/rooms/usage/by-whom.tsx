/** Whose use it was: of each key or person, agent, or collection, over the whole time. */
import type { UsageRow } from '@atrium/sdk'
import { usePagedQuery } from '../../api/queries.ts'
import { useSearchChoice } from '../../api/search-values.ts'
import { SelectField } from '../../ui/field.tsx'
import { formatBytes, formatNumber, formatUsd } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { type Column, PagedTable } from '../../ui/table.tsx'

const groups = [
  { value: 'key', label: 'By key and person' },
  { value: 'agent', label: 'By agent' },
  { value: 'collection', label: 'By collection' },
] as const
const groupNames = groups.map(({ value }) => value)
type Group = (typeof groupNames)[number]

export function ByWhom({ from, to }: { from: string; to: string }) {
  const [groupBy, setGroupBy] = useSearchChoice('by', groupNames, 'key')
  const history = usePagedQuery(['usage', 'whom', { from, to, groupBy }], (atrium, query, options) =>
    atrium.usage.history({ ...query, from, to, groupBy, interval: 'total' }, options).page(),
  )
  return (
    <Card
      title="Whose use"
      description="Of the same days."
      actions={
        <SelectField label="Grouped" labelHidden value={groupBy} onChange={setGroupBy} options={groups} />
      }
    >
      <PagedTable
        query={history}
        caption="Whose use"
        columns={columnsOf(groupBy)}
        rowKey={({ subject }) => `${subject?.type}-${subject?.id}`}
        empty={<p className="text-muted">Nothing was used in this time.</p>}
      />
    </Card>
  )
}

const headers: Readonly<Record<Group, string>> = {
  key: 'Key or person',
  agent: 'Agent',
  collection: 'Collection',
}

const numberColumn = (header: string, of: (row: UsageRow) => string): Column<UsageRow> => ({
  header,
  align: 'end',
  cell: row => <span className="tabular-nums">{of(row)}</span>,
})

function columnsOf(groupBy: Group): readonly Column<UsageRow>[] {
  return [
    { header: headers[groupBy], cell: ({ subject }) => <Subject subject={subject} /> },
    // Requests belong to those who make them, storage to collections.
    ...(groupBy === 'key' ? [numberColumn('Requests', row => formatNumber(row.requests ?? 0))] : []),
    numberColumn('Runs', row => formatNumber(row.runs ?? 0)),
    numberColumn('Tokens', row => formatNumber((row.inputTokens ?? 0) + (row.outputTokens ?? 0))),
    numberColumn('Cost', row => formatUsd(row.costUsd ?? 0)),
    ...(groupBy === 'collection'
      ? [
          numberColumn('Storage', ({ storageBytes }) =>
            storageBytes === null ? 'Not known' : formatBytes(storageBytes),
          ),
        ]
      : []),
  ]
}

const kinds = { key: 'Key', person: 'Person', system: 'Server', agent: 'Agent', collection: 'Collection' }

function Subject({ subject }: { subject: UsageRow['subject'] }) {
  if (subject === null) return <span>Everybody</span>
  const { type, name, id } = subject
  const known = type === 'system' ? 'The server itself' : name
  return (
    <>
      <span className="block font-medium">{known ?? 'Without a name'}</span>
      <span className="block text-[12px] text-muted">
        {kinds[type]}
        {known === null && id !== null && <span className="font-mono"> {id}</span>}
      </span>
    </>
  )
}
