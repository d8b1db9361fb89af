/** Everywhere by a few letters: rooms, workspaces, environment, theme. */

import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { ArrowRight, FlaskConical, LogOut, type LucideIcon, Moon, Plus, Radio, Sun } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useScope } from '../api/scope.tsx'
import { useOpenRooms } from '../rooms/room.ts'
import { endSession } from '../session/use-session.ts'
import { Overlay } from '../ui/dialog.tsx'
import { useToasts } from '../ui/toast.tsx'
import { useChooseEnvironment } from './sandbox.tsx'
import { useChooseWorkspace } from './sidebar.tsx'
import { chooseTheme } from './theme.ts'

export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Overlay onClose={onClose}>
      <Dialog.Content
        aria-describedby={undefined}
        className="fixed inset-x-3 top-[10dvh] z-40 mx-auto max-w-xl animate-appear overflow-hidden rounded-lg border bg-raised shadow-raised"
      >
        <Dialog.Title className="sr-only">Go to</Dialog.Title>
        <Command label="Go to" loop>
          <Command.Input
            autoFocus
            placeholder="Go to a page, switch workspace or environment…"
            className="h-12 w-full border-b bg-transparent px-4 text-base outline-none placeholder:text-faint"
          />
          <Command.List className="max-h-[56dvh] overflow-y-auto p-2">
            <Command.Empty className="px-3 py-6 text-center text-muted">
              Nothing goes by that name.
            </Command.Empty>
            <RoomCommands onClose={onClose} />
            <ScopeCommands onClose={onClose} />
            <PersonalCommands onClose={onClose} />
          </Command.List>
        </Command>
      </Dialog.Content>
    </Overlay>
  )
}

type GroupProps = { onClose: () => void }

function RoomCommands({ onClose }: GroupProps) {
  const open = useOpenRooms()
  const navigate = useNavigate()
  const go = (to: string) => {
    onClose()
    void navigate({ to })
  }
  return (
    <Group heading="Pages">
      {open.map(
        ({ path, title, sidebar }) =>
          sidebar !== undefined && (
            <Entry key={path} icon={sidebar.icon} onSelect={() => go(path)}>
              {title}
            </Entry>
          ),
      )}
      {open.flatMap(({ commands = [] }) =>
        commands.map(({ title, to }) => (
          <Entry key={to} icon={Plus} onSelect={() => go(to)}>
            {title}
          </Entry>
        )),
      )}
    </Group>
  )
}

function ScopeCommands({ onClose }: GroupProps) {
  const { workspace, workspaces, environment } = useScope()
  const chooseEnvironment = useChooseEnvironment()
  const chooseWorkspace = useChooseWorkspace()
  const other = environment === 'live' ? 'test' : 'live'
  return (
    <Group heading="Workspace">
      <Entry
        icon={other === 'test' ? FlaskConical : Radio}
        onSelect={() => {
          onClose()
          void chooseEnvironment(other)
        }}
      >
        Switch to the {other} environment
      </Entry>
      {workspaces
        .filter(({ id }) => id !== workspace.id)
        .map(({ id, name }) => (
          <Entry
            key={id}
            icon={ArrowRight}
            onSelect={() => {
              onClose()
              void chooseWorkspace(id)
            }}
          >
            Workspace {name}
          </Entry>
        ))}
    </Group>
  )
}

function PersonalCommands({ onClose }: GroupProps) {
  const toasts = useToasts()
  const choose = (theme: 'light' | 'dark') => () => {
    onClose()
    chooseTheme(theme)
  }
  return (
    <Group heading="You">
      <Entry icon={Sun} onSelect={choose('light')}>
        Light theme
      </Entry>
      <Entry icon={Moon} onSelect={choose('dark')}>
        Dark theme
      </Entry>
      <Entry icon={LogOut} onSelect={() => endSession().catch(toasts.fail)}>
        Sign out
      </Entry>
    </Group>
  )
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-[12px] [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
  >
    {children}
  </Command.Group>
)

type EntryProps = { icon: LucideIcon; onSelect: () => void; children: ReactNode }

const Entry = ({ icon: Shape, onSelect, children }: EntryProps) => (
  <Command.Item
    onSelect={onSelect}
    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-3 py-1.5 data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-text"
  >
    <Shape aria-hidden size={16} className="shrink-0 opacity-80" />
    {children}
  </Command.Item>
)
