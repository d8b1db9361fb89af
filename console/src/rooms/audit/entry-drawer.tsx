/** One change with everything that is known of it. */
import type { AuditEntry } from '@atrium/sdk'
import { useSearchValue } from '../../api/search-values.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { SideDrawer } from '../../ui/dialog.tsx'
import { formatMoment } from '../../ui/format.ts'

type Props = { entry: AuditEntry; author: string; onClose: () => void }

export function EntryDrawer({ entry, author, onClose }: Props) {
  const [, setRecord] = useSearchValue('record')
  const [, setRequest] = useSearchValue('request')
  const { action, resourceId, details, address, requestId, createdAt, keyId, userId } = entry
  const facts = [
    { name: 'When', value: formatMoment(createdAt) },
    { name: 'Who', value: author },
    { name: 'Person', value: userId },
    { name: 'Key', value: keyId },
    { name: 'Record', value: resourceId },
    { name: 'Address', value: address },
    { name: 'Request', value: requestId },
  ].filter(({ value }) => value !== null)
  return (
    <SideDrawer open onClose={onClose} title={action}>
      <div className="flex flex-col gap-5">
        <dl className="flex flex-col gap-3">
          {facts.map(({ name, value }) => (
            <div key={name} className="min-w-0">
              <dt className="text-[13px] text-muted">{name}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ))}
        </dl>
        {Object.keys(details).length > 0 && (
          <CodeBlock label="Details" code={JSON.stringify(details, null, 2)} />
        )}
        <div className="flex flex-wrap gap-2">
          {resourceId !== null && (
            <Button
              onClick={() => {
                setRecord(resourceId)
                onClose()
              }}
            >
              Every change of this record
            </Button>
          )}
          <Button
            onClick={() => {
              setRequest(requestId)
              onClose()
            }}
          >
            Every change by this request
          </Button>
        </div>
      </div>
    </SideDrawer>
  )
}
