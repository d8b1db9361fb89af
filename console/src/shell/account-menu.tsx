/** The person, the theme, the way out. */
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { endSession, usePerson } from '../session/use-session.ts'
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useToasts } from '../ui/toast.tsx'
import { useTheme } from './theme.ts'

const themes = [
  { value: 'system', label: 'As the system', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const

export function AccountMenu() {
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
      <MenuItem icon={LogOut} onSelect={() => endSession().catch(error => toasts.fail(error))}>
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
