/** Above every room: search, the environment, and the person. */
import { Menu as MenuIcon, Search } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { EnvironmentSwitch } from './sandbox.tsx'

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
