/** What a key may do: sets for common programs, and each permission with what it allows. Never more than the person may. */

import type { FieldProps } from '../../api/form.ts'
import { useScope } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { FieldError } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'

export function PermissionFields(field: FieldProps<ReadonlySet<string>>) {
  const { value: chosen, onChange, error } = field
  const { permissions: held } = useScope()
  const choose = (wanted: readonly string[]) => onChange(new Set(wanted.filter(name => held.has(name))))
  const toggle = (names: readonly string[], on: boolean) =>
    onChange(new Set(on ? [...chosen, ...names] : [...chosen].filter(name => !names.includes(name))))
  return (
    <Card
      title="Permissions"
      description={`${count(chosen.size, 'permission')} chosen. A key never has more than you have yourself, now and later.`}
    >
      <fieldset aria-label="Sets of permissions" className="flex flex-wrap gap-2">
        {presets.map(({ label, permissions }) => (
          <Button key={label} size="small" onClick={() => choose(permissions)}>
            {label}
          </Button>
        ))}
        <Button size="small" onClick={() => choose([...held])}>
          Everything
        </Button>
      </fieldset>
      <FieldError>{error}</FieldError>
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {Object.entries(permissionAreas).map(([area, allows]) => {
          const names = Object.keys(allows).filter(name => held.has(name))
          if (names.length === 0) return null
          const on = names.filter(name => chosen.has(name)).length
          return (
            <fieldset key={area} className="flex min-w-0 flex-col gap-2.5">
              <legend className="sr-only">{area}</legend>
              <Checkbox
                label={<span className="font-semibold">{area}</span>}
                checked={on === names.length}
                mixed={on > 0 && on < names.length}
                onChange={checked => toggle(names, checked)}
              />
              <div className="flex flex-col gap-2.5 border-l pl-4">
                {names.map(name => (
                  <Checkbox
                    key={name}
                    label={allows[name]}
                    hint={<span className="font-mono text-[12px]">{name}</span>}
                    checked={chosen.has(name)}
                    onChange={checked => toggle([name], checked)}
                  />
                ))}
              </div>
            </fieldset>
          )
        })}
      </div>
    </Card>
  )
}

/** What a key can be allowed, by area, each in words that say what a program can then do. */
const permissionAreas: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Agents: {
    'agents:read': 'See agents, their runs and conversations',
    'agents:run': 'Ask agents, cancel runs and decide their approvals',
    'agents:write': 'Make, change and delete agents, models and tools',
  },
  Knowledge: {
    'knowledge:read': 'Search, and read collections and documents',
    'knowledge:write': 'Upload, change and delete documents and collections',
  },
  Integrations: {
    'integrations:read': 'See what is connected, and in what state',
    'integrations:write': 'Connect and disconnect services',
  },
  People: {
    'members:read': 'See members, invitations and teams',
    'members:write': 'Invite people, change their roles, remove them',
    'teams:write': 'Make teams and say who belongs to them',
    'workspace:write': 'Change the workspace and its monthly budget',
  },
  Webhooks: {
    'webhooks:read': 'See endpoints and what was delivered to them',
    'webhooks:write': 'Make, change and delete endpoints',
  },
  Administration: {
    'keys:read': 'See API keys, never their secrets',
    'keys:write': 'Make, rotate and revoke API keys, up to its own permissions',
    'usage:read': 'See what is used, and what it costs',
    'audit:read': 'See who has changed what',
  },
}

const presets: readonly { label: string; permissions: readonly string[] }[] = [
  { label: 'Ask agents', permissions: ['agents:read', 'agents:run', 'knowledge:read'] },
  { label: 'Fill the knowledge', permissions: ['knowledge:read', 'knowledge:write'] },
  {
    label: 'Read only',
    permissions: Object.values(permissionAreas)
      .flatMap(area => Object.keys(area))
      .filter(name => name.endsWith(':read')),
  },
]

/** `Agents: read, run · Knowledge: read`. */
export function summarise(permissions: readonly string[]): string {
  const areas = new Map<string, string[]>()
  for (const permission of permissions) {
    const [area = '', verb = ''] = permission.split(':')
    areas.set(area, [...(areas.get(area) ?? []), verb])
  }
  return [...areas].map(([area, verbs]) => `${area}: ${verbs.join(', ')}`).join(' · ')
}
