/** Values that people carry elsewhere: a field with a copy button, and code such as a curl line. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useAnnounce } from './announcer.tsx'
import { Button } from './button.tsx'

const shownMs = 2_000

export function CopyButton({ value, what }: { value: string; what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const announce = useAnnounce()
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), shownMs)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    const done = await copyText(value)
    setState(done ? 'copied' : 'failed')
    announce(
      done ? `The ${what} is copied` : `The ${what} could not be copied; select it and copy it by hand`,
    )
  }
  const words = state === 'copied' ? 'Copied' : state === 'failed' ? 'Select and copy' : 'Copy'
  return (
    <Button
      size="small"
      icon={state === 'copied' ? Check : Copy}
      onClick={() => void copy()}
      aria-label={`${words} the ${what}`}
    >
      {words}
    </Button>
  )
}

/** Browsers have the clipboard on secure pages only; a server on a plain address in the house has none. */
async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = value
    area.className = 'fixed opacity-0'
    const host = document.activeElement?.closest('[role=dialog]') ?? document.body
    const focused = document.activeElement
    host.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
    return done
  }
}

type CopyFieldProps = { label: string; value: string; what?: string }

export function CopyField({ label, value, what }: CopyFieldProps) {
  const id = useId()
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex items-center gap-2 rounded-md border bg-sunken py-1 pr-1 pl-3">
        <input
          id={id}
          readOnly
          value={value}
          onFocus={event => event.currentTarget.select()}
          className="min-w-0 flex-1 bg-transparent py-1 font-mono text-[13px] text-ellipsis"
        />
        <CopyButton value={value} what={what ?? label.toLowerCase()} />
      </div>
    </div>
  )
}

/** Code to paste; long lines scroll within it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border bg-sunken">
      <figcaption className="flex items-center justify-between gap-4 border-b py-1 pr-1 pl-3 text-[13px] text-muted">
        {label}
        <CopyButton value={code} what={label} />
      </figcaption>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
        tabIndex={0}
        className="overflow-x-auto p-3 -outline-offset-2"
      >
        <pre className="font-mono text-[13px] leading-5">
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  )
}
