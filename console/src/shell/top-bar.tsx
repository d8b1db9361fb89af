/** Above every room: search, the environment, and the person. */

import { useNavigate } from '@tanstack/react-router'
import { BookOpen, LogOut, Menu as MenuIcon, Monitor, Moon, Search, Sun, UserRound } from 'lucide-react'
import { endSession, usePerson } from '../session/use-session.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useToasts } from '../ui/toast.tsx'
import { EnvironmentSwitch } from './sandbox.tsx'
import { useTheme } from './theme.ts'

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

export function TopBar({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  return (
    <header className="sticky top-(--banner) z-20 flex h-14 items-center gap-2 border-b bg-canvas/90 px-3 backdrop-blur-sm sm:px-6">
      <IconButton icon={MenuIcon} label="Navigation" onClick={onMenu} className="lg:hidden" />
      <button
        type="button"
        onClick={onSearch}
        className="hidden h-9 w-64 items-center gap-2 rounded-md border bg-surface px-3 text-muted shadow-card transition-colors hover:border-edge sm:flex"
      >
        <Search aria-hidden size={15} />
        <span className="flex-1 text-left">Go to…</span>
        <kbd className="font-sans text-[12px]">{commandKey}</kbd>
      </button>
      <IconButton icon={Search} label="Go to…" onClick={onSearch} className="sm:hidden" />
      <div className="ml-auto flex items-center gap-2">
        <EnvironmentSwitch />
        <AccountMenu />
      </div>
    </header>
  )
}

const themes = [
  { value: 'system', label: 'As the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const

/** The person, the theme, the way out. */
function AccountMenu() {
  const { name, email } = usePerson()
  const [theme, setTheme] = useTheme()
  const toasts = useToasts()
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Account of ${name}`}
          className="flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-soft text-[13px] font-semibold text-accent-text uppercase transition-colors hover:bg-hover"
        >
          {initialsOf(name)}
        </button>
      }
    >
      <div className="px-2.5 py-2">
        <p dir="auto" className="truncate font-medium">
          {name}
        </p>
        <p className="truncate text-[13px] text-muted">{email}</p>
      </div>
      <MenuItem icon={UserRound} onSelect={() => void navigate({ to: '/account' })}>
        Your account
      </MenuItem>
      <MenuSeparator />
      <MenuChoices label="Theme" value={theme} choices={themes} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem icon={BookOpen} onSelect={() => window.location.assign('/docs')}>
        API reference
      </MenuItem>
      <MenuItem icon={LogOut} onSelect={() => endSession().catch(toasts.fail)}>
        Sign out
      </MenuItem>
    </Menu>
  )
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = '?'] = words[0] ?? '?'
  const [last = ''] = words.length > 1 ? (words.at(-1) ?? '') : ''
  return first + last
}
