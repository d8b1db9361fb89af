/** What has come and gone between two texts, line by line. */
import { differences } from './line-differences.ts'

export function ChangedLines({ label, before, after }: { label: string; before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs.
    <div
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-md border bg-sunken py-2 font-mono text-[12px] leading-5 -outline-offset-2"
    >
      {differences(before, after).map(({ kind, text, key }) => (
        <p key={key} className={`px-3 break-words whitespace-pre-wrap ${looks[kind]}`}>
          <span aria-hidden className="select-none">
            {signs[kind]}{' '}
          </span>
          {kind !== 'kept' && <span className="sr-only">{kind}: </span>}
          {text}
        </p>
      ))}
    </div>
  )
}

const looks = {
  kept: 'text-muted',
  added: 'bg-good-soft text-good-text',
  removed: 'bg-danger-soft text-danger-text',
}
const signs = { kept: ' ', added: '+', removed: '−' }
