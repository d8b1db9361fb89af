/** The way to the rooms, by area, below the workspace that they belong to. */
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { useScope } from '../api/scope.tsx'
import { areas, type Room, useOpenRooms } from '../rooms/room.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { Logo } from './logo.tsx'
import { NewWorkspaceDialog } from './new-workspace.tsx'

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

/** Which workspace this is, the others that the person belongs to, and a new one. */
function WorkspaceSwitcher() {
  const { workspace, workspaces, role } = useScope()
  const choose = useChooseWorkspace()
  const [making, setMaking] = useState(false)
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex w-full items-center gap-2.5 rounded-md border bg-surface px-2.5 py-2 text-left shadow-card transition-colors hover:bg-hover"
          >
            <Initial name={workspace.name} />
            <span className="min-w-0 flex-1">
              <span className="sr-only">Workspace: </span>
              <span dir="auto" className="block truncate font-medium">
                {workspace.name}
              </span>
              <span className="block truncate text-[12px] leading-4 text-muted capitalize">
                {role} · {workspace.plan}
              </span>
            </span>
            <ChevronsUpDown aria-hidden size={15} className="shrink-0 text-muted" />
          </button>
        }
      >
        <MenuChoices
          label="Workspaces"
          value={workspace.id}
          choices={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={id => void choose(id)}
        />
        <MenuSeparator />
        <MenuItem icon={Plus} onSelect={() => setMaking(true)}>
          New workspace…
        </MenuItem>
      </Menu>
      {making && <NewWorkspaceDialog onClose={() => setMaking(false)} onMade={id => void choose(id)} />}
    </>
  )
}

/** What a room shows belongs to one workspace, so another one begins at its overview. */
export function useChooseWorkspace(): (id: string) => Promise<void> {
  const { workspaces, chooseWorkspace } = useScope()
  const announce = useAnnounce()
  const navigate = useNavigate()
  return async id => {
    if (!(await chooseWorkspace(id))) return
    announce(`Workspace ${workspaces.find(workspace => workspace.id === id)?.name ?? ''}`)
    void navigate({ to: '/' })
  }
}

function Initial({ name }: { name: string }) {
  const [first = '?'] = name
  return (
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-sm bg-accent text-[13px] font-semibold text-accent-ink uppercase"
    >
      {first}
    </span>
  )
}
