/** That a caller gains no permission and no reach from what it may do, by whatever way of giving there is. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Permission, permissions, type Role, rolePermissions, roles } from '../../platform/caller.ts'
import { exampleId } from '../../platform/schemas.ts'
import { signIn } from '../../testing/apps/signed-in.ts'
import { type KeyOptions, startTestApp, type TestApp, type TestReply } from '../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000,members=100000' },
  })
})
after(() => app.close())

/** What may be granted to: made for each attempt, so that none finds what another one has left. */
type Setup = {
  ownKeyId: string
  ownMemberId: string
  memberIds: Record<Exclude<Role, 'owner'>, string>
  serviceAccounts: Record<Exclude<Role, 'owner'>, string>
  strongKeyId: string
  weakKeyId: string
  teamId: string
  invitationIds: Record<Role, string>
}

/** A way to give something; `gives` are the permissions that its success would give to a key or a member. */
type Way = {
  name: string
  gives: readonly Permission[]
  method: string
  path: string
  body?: object | undefined
}

const gainedBy = (from: Role, to: Role): readonly Permission[] =>
  rolePermissions[to].filter(permission => !rolePermissions[from].includes(permission))

/** Ownership is no permission: no key gives it, whatever it may. */
const forPersons = 'for persons' as unknown as Permission

const ofRole = (role: Role): readonly Permission[] =>
  role === 'owner' ? [...rolePermissions.owner, forPersons] : rolePermissions[role]

const lesserRoles = ['admin', 'member', 'viewer'] as const

function waysIn(place: Setup): Way[] {
  const tag = nextTag()
  return [
    ...permissions.flatMap((permission): Way[] => [
      way(`make a key with ${permission}`, [permission], 'POST', '/api-keys', key([permission])),
      way(`give ${permission} to itself`, [permission], 'PATCH', `/api-keys/${place.ownKeyId}`, {
        permissions: [permission],
      }),
      way(
        `give ${permission} to a weak key`,
        [permission, 'usage:read'],
        'PATCH',
        `/api-keys/${place.weakKeyId}`,
        { permissions: [permission] },
      ),
      ...lesserRoles
        .filter(role => rolePermissions[role].includes(permission))
        .map(role =>
          way(
            `make a key with ${permission} for a service account, ${role}`,
            [permission],
            'POST',
            '/api-keys',
            {
              ...key([permission]),
              memberId: place.serviceAccounts[role],
            },
          ),
        ),
    ]),
    way('rotate a strong key', permissions, 'POST', `/api-keys/${place.strongKeyId}/rotate`, {}),
    way('rename a strong key', permissions, 'PATCH', `/api-keys/${place.strongKeyId}`, { name: 'Mine' }),
    way('let a strong key in from anywhere', permissions, 'PATCH', `/api-keys/${place.strongKeyId}`, {
      allowedAddresses: null,
      expiresAt: null,
    }),
    way('rotate a weak key', ['usage:read'], 'POST', `/api-keys/${place.weakKeyId}/rotate`, {}),
    ...roles.flatMap((role): Way[] => [
      way(`invite with the role ${role}`, ofRole(role), 'POST', '/workspace/members/invite', {
        email: `${role}.${tag}@example.com`,
        role,
      }),
      way(
        `send an invitation with the role ${role} again`,
        ofRole(role),
        'POST',
        `/workspace/invitations/${place.invitationIds[role]}/resend`,
      ),
    ]),
    way('invite to a team', ['teams:write', ...ofRole('viewer')], 'POST', '/workspace/members/invite', {
      email: `team.${tag}@example.com`,
      role: 'viewer',
      teamIds: [place.teamId],
    }),
    ...lesserRoles.map(role =>
      way(`make a service account with the role ${role}`, ofRole(role), 'POST', '/workspace/members', {
        name: 'Robot',
        role,
      }),
    ),
    ...lesserRoles.flatMap(from =>
      roles
        .filter(to => roles.indexOf(to) < roles.indexOf(from))
        .map(to =>
          way(
            `make a ${from} a ${to}`,
            to === 'owner' ? [...gainedBy(from, to), forPersons] : gainedBy(from, to),
            'PATCH',
            `/workspace/members/${place.memberIds[from]}`,
            { role: to },
          ),
        ),
    ),
    way('hand the workspace over', [forPersons], 'POST', '/workspace/transfer', {
      memberId: place.memberIds.admin,
    }),
    way('make itself an owner', [forPersons], 'PATCH', `/workspace/members/${place.ownMemberId}`, {
      role: 'owner',
    }),
    way(
      'put a member into a team',
      ['teams:write'],
      'PUT',
      `/workspace/teams/${place.teamId}/members/${place.memberIds.viewer}`,
    ),
  ]
}

const way = (
  name: string,
  gives: readonly Permission[],
  method: string,
  path: string,
  body?: object,
): Way => ({ name, gives, method, path, body })

const key = (wanted: readonly Permission[]) => ({ name: 'Made', permissions: wanted })

let tags = 0
const nextTag = () => {
  tags += 1
  return String(tags)
}

/** A caller with only these permissions, of somebody with the role of an admin, in a workspace of its own. */
async function newPlace(
  only: readonly Permission[],
): Promise<{ place: Setup; caller: string; owner: string }> {
  const { workspaceId, ownerId } = await app.createWorkspace()
  const owner = await (await signIn(app, ownerId)).token({ workspaceId })
  const make = (options: KeyOptions) => app.createKey({ workspaceId, ...options })
  const caller = await make({ role: 'admin', permissions: only })
  const adopted = await Promise.all(lesserRoles.map(role => make({ role })))
  const asOwner = async (method: string, path: string, body?: object) => {
    const reply = await app.request(method, path, { key: owner, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.body)}`)
    return reply.body.data
  }
  const members: { id: string; userId: string }[] = await asOwner('GET', '/workspace/members')
  const memberOf = (userId: string | null) => String(members.find(member => member.userId === userId)?.id)
  const byRole = (idOf: (role: (typeof lesserRoles)[number], index: number) => string) =>
    Object.fromEntries(lesserRoles.map((role, index) => [role, idOf(role, index)])) as Setup['memberIds']
  const accounts: string[] = []
  for (const role of lesserRoles) {
    accounts.push((await asOwner('POST', '/workspace/members', { name: 'Robot', role })).id)
  }
  const invited: [Role, string][] = []
  for (const role of roles) {
    const email = `${role}.${nextTag()}@invited.example.com`
    invited.push([role, (await asOwner('POST', '/workspace/members/invite', { email, role })).id])
  }
  return {
    owner,
    caller: caller.key,
    place: {
      ownKeyId: caller.id,
      ownMemberId: memberOf(caller.caller.userId),
      memberIds: byRole((_, index) => memberOf(adopted[index]?.caller.userId ?? null)),
      serviceAccounts: byRole((_, index) => String(accounts[index])),
      strongKeyId: (await make({ role: 'admin', allowedAddresses: ['127.0.0.1'] })).id,
      weakKeyId: (await make({ role: 'admin', permissions: ['usage:read'] })).id,
      teamId: (await asOwner('POST', '/workspace/teams', { name: 'Secret' })).id,
      invitationIds: Object.fromEntries(invited) as Setup['invitationIds'],
    },
  }
}

const attempt = (caller: string, { method, path, body }: Way): Promise<TestReply> =>
  app.request(method, path, { key: caller, body })

/** What a key may, asked of the server itself: a route for each permission, which is sent nothing and so changes nothing. */
async function heldBy(token: string): Promise<Permission[]> {
  const held: Permission[] = []
  for (const permission of permissions) {
    const route = app.app.routes.find(candidate => candidate.permission === permission)
    assert.ok(route !== undefined, `no route asks for ${permission}`)
    const path = route.path.replaceAll(/:[A-Za-z]+/g, () => exampleId('agent'))
    const reply = await app.request(route.method, path, { key: token })
    const isRefused = reply.status === 401 || reply.body?.code === 'permission_missing'
    if (!isRefused) held.push(permission)
  }
  return held
}

for (const only of permissions) {
  test(`a key with only ${only} can gain no other permission by any operation`, async () => {
    const { place, caller } = await newPlace([only])
    for (const tried of waysIn(place)) {
      const reply = await attempt(caller, tried)
      const more = tried.gives.filter(permission => permission !== only)
      if (more.length > 0) {
        assert.ok([400, 403].includes(reply.status), `${tried.name} is a ${reply.status}`)
        const code = reply.status === 403 ? 'permission_missing' : 'validation_failed'
        assert.equal(reply.body.code, code, tried.name)
      }
      const made = reply.body?.data?.key
      if (made !== undefined) assert.deepEqual(await heldBy(made), [only], tried.name)
    }
    assert.deepEqual(await heldBy(caller), [only])
  })
}

test('a key that may both keep keys and change members gains nothing by the two together', async () => {
  const only = ['keys:read', 'keys:write', 'members:read', 'members:write'] as const
  const { place, caller } = await newPlace(only)
  for (const tried of waysIn(place)) {
    const reply = await attempt(caller, tried)
    const more = tried.gives.filter(permission => !(only as readonly string[]).includes(permission))
    assert.ok(more.length === 0 || reply.status >= 400, `${tried.name} is a ${reply.status}`)
  }
})

test('a refusal names each permission that is missing, and what to do', async () => {
  const { place, caller } = await newPlace(['members:write'])
  const reply = await app.request('PATCH', `/workspace/members/${place.memberIds.viewer}`, {
    key: caller,
    body: { role: 'member' },
  })
  assert.equal(
    reply.body.message,
    'The key cannot give the role member: it lacks the permissions agents:run, knowledge:write. Use a key that has what is missing, or let an owner or admin do it in the console.',
  )
})

test('an owner in the console can do each of these operations, and a full key each that is not for persons', async () => {
  const keyOnly = (tried: Way) => tried.path.startsWith('/api-keys')
  for (const kind of ['person', 'key'] as const) {
    const { place, caller, owner } = await newPlace(permissions)
    for (const tried of waysIn(place)) {
      const isForPersons = tried.gives.includes(forPersons)
      // The owner who hands the workspace over is an owner no more: that comes last.
      if (tried.name === 'hand the workspace over' && kind === 'person') continue
      const own = tried.name.startsWith('give') && tried.name.endsWith('itself')
      if (own && !keyOnly(tried)) continue
      // A key that has narrowed itself to one permission may no longer do the rest; the owner may.
      const token = kind === 'person' || own ? owner : caller
      const reply = await attempt(token, tried)
      if (kind === 'key' && isForPersons) {
        assert.deepEqual([reply.status, reply.body.code], [403, 'permission_missing'], tried.name)
      } else {
        assert.ok(reply.status < 300, `${tried.name} by a ${kind}: ${JSON.stringify(reply.body)}`)
      }
      if (own) await app.request('PATCH', tried.path, { key: owner, body: { permissions } })
    }
    if (kind === 'person') {
      const handedOver = await app.request('POST', '/workspace/transfer', {
        key: owner,
        body: { memberId: place.memberIds.viewer },
      })
      assert.equal(handedOver.status, 200)
    }
  }
})

test('a narrowed key gives no role and no team, which would reach further than itself', async () => {
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Only this' } })
  const collectionIds = [collection.body.data.id]
  const narrow = await app.createKey({ userId: app.ownerId, collectionIds })
  const team = await app.request('POST', '/workspace/teams', { body: { name: 'Reaches more' } })
  const [member] = (await app.request('GET', '/workspace/members')).body.data
  const teamPath = `/workspace/teams/${team.body.data.id}/members/${member.id}`
  for (const [method, path, body] of [
    ['POST', '/workspace/members/invite', { email: 'wide@example.com', role: 'viewer' }],
    ['POST', '/workspace/members', { name: 'Wide', role: 'viewer' }],
    ['PUT', teamPath, undefined],
  ] as const) {
    const reply = await app.request(method, path, { key: narrow, body })
    assert.deepEqual([reply.status, reply.body.code], [403, 'permission_missing'], path)
    assert.match(
      reply.body.message,
      /this changes what belongs to the whole workspace. Use a key without `agentIds`/,
    )
  }
})
