/** What a key may do: sets for common programs, and each permission with what it allows. Never more than the person may. */
import { useScope } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { count } from '../../ui/format.ts'
import { Card } from '../../ui/page.tsx'
import { permissionAreas, presets } from './permission-areas.ts'

type Props = {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  error?: string | undefined
}

export function PermissionFields({ chosen, onChange, error }: Props) {
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
      {error !== undefined && (
        <p role="alert" className="mt-3 text-danger-text">
          {error}
        </p>
      )}
      <div className="mt-5 grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {permissionAreas.map(({ area, permissions }) => {
          const names = permissions.map(({ name }) => name).filter(name => held.has(name))
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
                {permissions
                  .filter(({ name }) => held.has(name))
                  .map(({ name, allows }) => (
                    <Checkbox
                      key={name}
                      label={allows}
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
