/** What can be taken along before a workspace goes: each collection, as the archive that an import takes. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { saveFile } from '../../api/save-file.ts'
import { useAtrium, useMay } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notices.tsx'
import { useToasts } from '../../ui/toast.tsx'

const mostShown = 100

export function ExportList() {
  const mayRead = useMay('knowledge:read')
  const query = useApiQuery(
    ['collections', 'to-export'],
    (atrium, options) => atrium.knowledge.collections.list({ pageSize: mostShown }, options).page(),
    { enabled: mayRead },
  )
  if (!mayRead) return null
  return (
    <Loaded query={query}>
      {({ items, total }) =>
        items.length > 0 && (
          <Notice title="Keep what you need first">
            <p>Each archive holds the files of a collection with their texts, and can be imported again.</p>
            <ul className="mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto">
              {items.map(({ id, name }) => (
                <li key={id} className="flex items-center gap-2">
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {name}
                  </span>
                  <ExportButton id={id} name={name} />
                </li>
              ))}
            </ul>
            {total > items.length && (
              <p className="mt-2">
                These are {items.length} of {total}; the others are exported from the page of the collections.
              </p>
            )}
          </Notice>
        )
      }
    </Loaded>
  )
}

function ExportButton({ id, name }: { id: string; name: string }) {
  const atrium = useAtrium()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await saveFile(() => atrium.knowledge.collections.export(id), `${name}.tar.gz`)
    } catch (error) {
      toasts.fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="small"
      icon={Download}
      busy={isBusy}
      aria-label={`Export ${name}`}
      onClick={() => void save()}
    >
      Export
    </Button>
  )
}
