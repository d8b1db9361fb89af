/** The live/test switch, and what makes the sandbox unmistakable: a frame around everything, and a bar that says it. */
import { FlaskConical, Radio } from 'lucide-react'
import { useScope } from '../api/scope.tsx'
import type { Environment } from '../session/session-client.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { classNames } from '../ui/class-names.ts'

export function SandboxFrame() {
  const choose = useChooseEnvironment()
  return (
    <>
      <div aria-hidden className="pointer-events-none fixed inset-0 z-30 border-4 border-sandbox" />
      <aside
        aria-label="Test environment"
        className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-sandbox px-4 py-1.5 text-center text-[13px] font-medium text-sandbox-ink"
      >
        <span>
          {/* Named on each: when the system's theme changes, Chromium may leave an inherited colour behind. */}
          <strong className="text-sandbox-ink">Test environment</strong>
          <span className="hidden text-sandbox-ink sm:inline">
            : its own data; nothing here costs money or leaves this server.
          </span>
        </span>
        <button
          type="button"
          onClick={() => void choose('live')}
          className="rounded-sm underline underline-offset-3 outline-current hover:decoration-2"
        >
          Switch to live
        </button>
      </aside>
    </>
  )
}

const choices = [
  { value: 'live', label: 'Live', icon: Radio },
  { value: 'test', label: 'Test', icon: FlaskConical },
] as const

export function EnvironmentSwitch() {
  const { environment } = useScope()
  const choose = useChooseEnvironment()
  return (
    <fieldset className="flex shrink-0 rounded-md border bg-sunken p-0.5">
      <legend className="sr-only">Environment</legend>
      {choices.map(({ value, label, icon: Shape }) => {
        const isChosen = value === environment
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen}
            onClick={() => void choose(value)}
            className={classNames(
              'flex h-7 items-center gap-1.5 rounded-sm px-2.5 text-[13px] font-medium transition-colors',
              !isChosen && 'text-muted hover:text-ink',
              isChosen && value === 'live' && 'bg-raised text-ink shadow-card ring-1 ring-line',
              isChosen && value === 'test' && 'bg-sandbox text-sandbox-ink',
            )}
          >
            <Shape aria-hidden size={14} />
            {label}
          </button>
        )
      })}
    </fieldset>
  )
}

export function useChooseEnvironment(): (environment: Environment) => Promise<void> {
  const { chooseEnvironment } = useScope()
  const announce = useAnnounce()
  return async environment => {
    if (!(await chooseEnvironment(environment))) return
    announce(environment === 'test' ? 'You are in the test environment' : 'You are in the live environment')
  }
}
