/** The way to the rooms, by area, below the workspace that they belong to. */
import { Link } from '@tanstack/react-router'
import { areas, type Room } from '../rooms/room.ts'
import { useOpenRooms } from '../rooms/rooms-context.ts'
import { Logo } from './logo.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

export function Sidebar() {
  const open = useOpenRooms()
  return (
    <nav aria-label="Rooms" className="flex flex-col gap-5 px-3 py-4">
      <Link to="/" className="mx-2 self-start rounded-sm">
        <Logo />
      </Link>
      <WorkspaceSwitcher />
      <div className="flex flex-col gap-5">
        {areas.map(area => (
          <AreaList key={area} area={area} rooms={open.filter(({ sidebar }) => sidebar?.area === area)} />
        ))}
      </div>
    </nav>
  )
}

function AreaList({ area, rooms: listed }: { area: string; rooms: readonly Room[] }) {
  if (listed.length === 0) return null
  return (
    <div>
      <h2 className="px-2.5 pb-1 text-[12px] font-medium text-muted">{area}</h2>
      <ul className="flex flex-col gap-0.5">
        {listed.map(({ path, title, sidebar }) => (
          <li key={path}>
            <Link
              to={path}
              activeOptions={{ exact: path === '/' }}
              activeProps={{ 'data-open': '' }}
              className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted transition-colors hover:bg-hover hover:text-ink data-open:bg-accent-soft data-open:text-accent-text"
            >
              {sidebar !== undefined && <sidebar.icon aria-hidden size={17} className="shrink-0" />}
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
