/** Shows a raw value of the API. */
import { CopyButton } from '../../ui/copy.tsx'

/** Longer values are cut here; the API returns them whole. */
const longest = 20_000

type ValueBlockProps = {
  /** Unique on the page, for those who hear it. */
  label: string
  /** What stands above it; the label unless given. */
  caption?: string
  value: unknown
}

export function ValueBlock({ label, caption = label, value }: ValueBlockProps) {
  const text = textOf(value)
  const isCut = text.length > longest
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border bg-sunken">
      <figcaption className="flex items-center justify-between gap-4 border-b py-1 pr-1 pl-3 text-[13px] text-muted">
        {caption}
        <CopyButton value={text} what={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs. */}
      <div
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
        tabIndex={0}
        className="max-h-72 overflow-auto p-3 -outline-offset-2"
      >
        <pre className="font-mono text-[12px] leading-5 break-words whitespace-pre-wrap">
          {isCut ? text.slice(0, longest) : text}
        </pre>
        {isCut && (
          <p className="mt-2 text-[12px] text-muted">The rest is left out here; the API answers all of it.</p>
        )}
      </div>
    </figure>
  )
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'nothing')
