/** A word about what the pointer or the focus rests on. Never the only place where something is said. */
import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement } from 'react'

const delayMs = 400

export const TooltipProvider = ({ children }: { children: React.ReactNode }) => (
  <Radix.Provider delayDuration={delayMs}>{children}</Radix.Provider>
)

export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-64 animate-appear rounded-sm bg-ink px-2 py-1 text-[12px] leading-4 text-surface shadow-raised"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
