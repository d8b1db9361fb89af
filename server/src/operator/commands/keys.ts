/** `key create`, `key list`, `key revoke`. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import {
  environments,
  type Permission,
  permissions,
  type Role,
  rolePermissions,
} from '../../platform/caller.ts'
import { dayMs, hourMs, minuteMs, toOptionalTimestamp, toTimestamp } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { type Command, type CommandInput, inSession, type Outcome, requiredValue } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { findWorkspace, type KnownWorkspace, operatorCaller, type Session } from '../session.ts'

export const keyCommands: Command[] = [
  {
    name: 'key create',
    summary: 'Makes an API key and prints it, this once.',
    positionals: [],
    options: {
      workspace: { value: 'W', required: true, help: 'Id or slug of the workspace.' },
      env: { value: 'live|test', required: true, choices: environments, help: 'Environment of the key.' },
      name: { value: 'NAME', required: true, help: 'What the key is for.' },
      permissions: {
        value: 'all|LIST',
        required: true,
        help: 'all, or names such as agents:run,knowledge:read.',
      },
      user: { value: 'EMAIL', help: 'The member whose permissions it has; the first owner unless named.' },
      expires: {
        value: 'TIME',
        help: 'When it ends: a time such as 2027-01-31T00:00:00Z, or 90d, 12h, 30m.',
      },
    },
    run: inSession(createKey),
  },
  {
    name: 'key list',
    summary: 'Lists API keys, newest first, without their secrets.',
    positionals: [],
    options: { workspace: { value: 'W', help: "Only this workspace's keys." } },
    run: inSession(listKeys),
  },
  {
    name: 'key revoke',
    summary: 'Ends an API key; a running server obeys within seconds.',
    positionals: ['KEY_ID'],
    options: {},
    run: inSession(revokeKey),
  },
]

async function createKey(input: CommandInput, session: Session): Promise<Outcome> {
  const workspace = await findWorkspace(session, requiredValue(input, 'workspace'))
  const environment = environments.find(known => known === input.values.env) ?? 'test'
  const member = await findMember(session, workspace, input.values.user)
  const wanted = permissionsOf(requiredValue(input, 'permissions'), member.role)
  const caller = operatorCaller(session, workspace, { environment, ...member })
  const { expires } = input.values
  const { row, key } = await session.services.apiKeys.create(
    caller,
    withoutUndefined({
      name: requiredValue(input, 'name'),
      environment,
      permissions: wanted,
      expiresAt: expires === undefined ? undefined : toTimestamp(timeOf(expires, session.clock())),
    }),
  )
  const json = {
    id: row.id,
    key,
    name: row.name,
    environment,
    workspaceId: workspace.id,
    userId: member.userId,
    permissions: wanted,
    expiresAt: toOptionalTimestamp(row.expires_at),
  }
  const warning =
    workspace.plan === 'free'
      ? [`The workspace's plan is free, which has no API: \`workspace set-plan ${workspace.slug} starter\``]
      : []
  return { json, lines: [key, `It is shown this once. Id: ${row.id}`, ...warning] }
}

async function listKeys(input: CommandInput, session: Session): Promise<Outcome> {
  const { workspace } = input.values
  let rows = session.database.read
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .select(['workspaces.slug', 'users.email'])
  if (workspace !== undefined) {
    rows = rows.where('api_keys.workspace_id', '=', (await findWorkspace(session, workspace)).id)
  }
  const json = (await rows.orderBy('api_keys.id', 'desc').execute()).map(row => ({
    id: row.id,
    name: row.name,
    environment: row.environment,
    workspaceId: row.workspace_id,
    workspace: row.slug,
    user: row.email,
    permissions: decodeJson(row.permissions),
    expiresAt: toOptionalTimestamp(row.expires_at),
    revokedAt: toOptionalTimestamp(row.revoked_at),
    lastUsedAt: toOptionalTimestamp(row.last_used_at),
    createdAt: toTimestamp(row.created_at),
  }))
  const lines = json.map(key => {
    const state = key.revokedAt === null ? (key.expiresAt ?? 'no end') : 'revoked'
    return [key.id, key.environment, key.workspace, key.user, state, key.name].join('  ')
  })
  return { json, lines: lines.length === 0 ? ['There are no keys.'] : lines }
}

async function revokeKey({ positionals: [id = ''] }: CommandInput, session: Session): Promise<Outcome> {
  const key = await session.database.read
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(['environment', 'workspaces.id', 'workspaces.plan', 'workspaces.rate_limit'])
    .where('api_keys.id', '=', id)
    .executeTakeFirst()
  if (key === undefined) throw new OperatorError(`There is no key ${id}; \`key list\` shows those there are`)
  const caller = operatorCaller(session, key, { environment: key.environment })
  const row = await session.services.apiKeys.revoke(caller, id, null)
  const json = { id, name: row.name, revokedAt: toOptionalTimestamp(row.revoked_at) }
  return { json, lines: [`${id} (${row.name}) is revoked.`] }
}

/** The member with this address, or the owner who joined first. */
async function findMember(
  { database }: Session,
  workspace: KnownWorkspace,
  email: string | undefined,
): Promise<{ userId: string; role: Role }> {
  const members = database.read
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id as userId', 'members.role'])
    .where('members.workspace_id', '=', workspace.id)
  const wanted =
    email === undefined
      ? members.where('members.role', '=', 'owner').orderBy('members.joined_at').orderBy('members.id')
      : members.where('users.email', '=', email.trim().toLowerCase())
  const member = await wanted.limit(1).executeTakeFirst()
  if (member !== undefined) return member
  const remedy = `\`user create --email EMAIL --name NAME --workspace ${workspace.slug} --role ROLE\` makes one`
  throw new OperatorError(
    email === undefined
      ? `The workspace ${workspace.slug} has no owner: ${remedy}`
      : `${email} is not a member of the workspace ${workspace.slug}: ${remedy}`,
  )
}

function permissionsOf(list: string, role: Role): Permission[] {
  const allowed = rolePermissions[role]
  if (list === 'all') return [...allowed]
  const names = [...new Set(list.split(',').map(name => name.trim()))]
  return names.map(name => {
    const permission = permissions.find(known => known === name)
    if (permission === undefined) {
      throw new UsageError(`--permissions: ${JSON.stringify(name)} is not one of ${permissions.join(', ')}`)
    }
    if (!allowed.includes(permission)) {
      throw new OperatorError(`The member's role ${role} does not have the permission ${name}`)
    }
    return permission
  })
}

const unitMs: Readonly<Record<string, number>> = { d: dayMs, h: hourMs, m: minuteMs }

function timeOf(text: string, nowMs: number): number {
  const [, count, unit = ''] = /^(\d{1,5})([dhm])$/.exec(text) ?? []
  const ms = count === undefined ? Date.parse(text) : nowMs + Number(count) * (unitMs[unit] ?? 0)
  if (Number.isNaN(ms) || ms <= nowMs) {
    throw new UsageError(
      `--expires: ${JSON.stringify(text)} is no time to come, such as 2027-01-31T00:00:00Z or 90d`,
    )
  }
  return ms
}
