/** A menu behind a button. */
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] max-w-[calc(100vw-16px)] min-w-52 animate-appear overflow-y-auto rounded-md border bg-raised p-1 shadow-raised"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** What can be done with a row of a list. */
export const ActionsMenu = ({ of, children }: { of: string; children: ReactNode }) => (
  <Menu trigger={<IconButton icon={Ellipsis} label={`Actions for ${of}`} size="small" />}>{children}</Menu>
)

type MenuItemProps = {
  icon: LucideIcon
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}

const itemLook =
  'flex min-h-9 items-center gap-2.5 rounded-sm px-2.5 py-1.5 outline-none select-none data-disabled:opacity-55 data-highlighted:bg-hover'

export function MenuItem({
  icon: Shape,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
      className={classNames(itemLook, danger && 'text-danger-text')}
    >
      <Shape aria-hidden size={16} className="shrink-0 opacity-80" />
      <span dir="auto" className="min-w-0 flex-1">
        {children}
      </span>
    </Radix.Item>
  )
}

type MenuChoicesProps<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; label: ReactNode; icon?: LucideIcon }[]
  onChange: (value: Value) => void
}

/** One of several, the present one marked. */
export function MenuChoices<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: MenuChoicesProps<Value>) {
  return (
    <Radix.Group>
      <MenuLabel>{label}</MenuLabel>
      <Radix.RadioGroup value={value} onValueChange={chosen => onChange(chosen as Value)}>
        {choices.map(({ value: one, label: shown, icon: Shape }) => (
          <Radix.RadioItem key={one} value={one} className={itemLook}>
            {Shape !== undefined && <Shape aria-hidden size={16} className="shrink-0 opacity-80" />}
            <span className="min-w-0 flex-1">{shown}</span>
            <Radix.ItemIndicator className="text-accent-text">✓</Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </Radix.Group>
  )
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2.5 pt-1.5 pb-1 text-[12px] font-medium text-muted">{children}</Radix.Label>
)

export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />
