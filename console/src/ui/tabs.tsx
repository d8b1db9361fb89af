/** Views of one thing. Which one is open belongs into the address: give `value` from `useSearchValue`. */
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Tab = { value: string; label: ReactNode; content: ReactNode }

type TabsProps = { label: string; tabs: readonly Tab[]; value: string; onChange: (value: string) => void }

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex min-w-0 flex-col gap-5">
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b">
        {tabs.map(tab => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent-text data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(tab => (
        <Radix.Content key={tab.value} value={tab.value} className="min-w-0">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
