/** Records of the workspace to choose from, each with a checkbox. */
import type { Atrium, Page } from '@atrium/sdk'
import { Loaded } from '../../../api/loaded.tsx'
import { useApiQuery } from '../../../api/queries.ts'
import { Checkbox } from '../../../ui/choices.tsx'

type Named = { id: string; name: string }

type IdChoicesProps = {
  legend: string
  /** What they are, in the plural. */
  of: string
  ids: readonly string[]
  onChange: (ids: readonly string[]) => void
  error: string | undefined
  read: (
    atrium: Atrium,
    query: { pageSize: number },
    options: { signal: AbortSignal },
  ) => Promise<Page<Named>>
  /** One that cannot be chosen, such as the agent itself. */
  without?: string
}

/** As many as one page has; a workspace with more chooses the others by the API. */
const mostShown = 100

export function IdChoices({ legend, of, ids, onChange, error, read, without }: IdChoicesProps) {
  const records = useApiQuery(['choices', of], (atrium, options) =>
    read(atrium, { pageSize: mostShown }, options),
  )
  const toggle = (id: string, on: boolean) => onChange(on ? [...ids, id] : ids.filter(one => one !== id))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium">{legend}</legend>
      {error !== undefined && (
        <p role="alert" className="mb-2 text-[13px] text-danger-text">
          {error}
        </p>
      )}
      <div className="flex max-h-56 flex-col gap-2.5 overflow-y-auto border-l py-0.5 pl-4">
        <Loaded query={records}>
          {({ items, total }) => {
            const shown = items.filter(({ id }) => id !== without)
            const hidden = ids.filter(id => !items.some(item => item.id === id))
            return (
              <>
                {shown.length === 0 && <p className="text-muted">There are no {of} yet.</p>}
                {shown.map(({ id, name }) => (
                  <Checkbox
                    key={id}
                    label={name}
                    checked={ids.includes(id)}
                    onChange={on => toggle(id, on)}
                  />
                ))}
                {hidden.map(id => (
                  <Checkbox
                    key={id}
                    label={<span className="font-mono text-[12px] break-all">{id}</span>}
                    hint="It is not among those shown here, or is gone."
                    checked
                    onChange={on => toggle(id, on)}
                  />
                ))}
                {total > items.length && (
                  <p className="text-[13px] text-muted">
                    The newest {items.length} of {total}; the API takes the ids of all.
                  </p>
                )}
              </>
            )
          }}
        </Loaded>
      </div>
    </fieldset>
  )
}
