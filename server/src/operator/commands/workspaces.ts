/** `workspace create`, `workspace list`, `workspace set-plan`. */
import { claimFirstRun, firstOwnerEmail } from '../../first-run.ts'
import { furnishWorkspace } from '../../furnish.ts'
import { plans } from '../../platform/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { parseAddress } from '../../platform/mail/address.ts'
import type { Command, CommandInput, Outcome } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { findWorkspace, type KnownWorkspace, operatorCaller, type Session } from '../session.ts'

export const workspaceCommands: Command[] = [
  {
    name: 'workspace create',
    summary: 'Makes a workspace with an owner.',
    positionals: ['[NAME]'],
    options: {
      name: { value: 'NAME', help: 'Its name, if it is not given as a word of its own.' },
      slug: { value: 'SLUG', help: 'Its short name; derived from the name unless given.' },
      plan: {
        value: 'PLAN',
        choices: plans,
        help: `${plans.join(', ')}; enterprise for the first workspace, then ATRIUM_NEW_WORKSPACE_PLAN.`,
      },
      owner: { value: 'EMAIL', help: "Its owner; the first workspace's first owner unless named." },
    },
    async run(input, context) {
      return createWorkspace(input, await context.open())
    },
  },
  {
    name: 'workspace list',
    summary: 'Lists the workspaces, oldest first.',
    positionals: [],
    options: {},
    async run(_input, context) {
      const { services } = await context.open()
      const json = (await services.workspaces.list()).map(presentWorkspace)
      const lines = json.map(({ id, slug, plan, name }) => [id, slug, plan, name].join('  '))
      return { json, lines: lines.length === 0 ? ['There are no workspaces.'] : lines }
    },
  },
  {
    name: 'workspace set-plan',
    summary: 'Changes what a workspace may use; a running server obeys within seconds.',
    positionals: ['W', 'PLAN'],
    options: { rate: { value: 'N', help: "Requests a minute, instead of the plan's number." } },
    async run(input, context) {
      return setPlan(input, await context.open())
    },
  },
]

async function createWorkspace(input: CommandInput, session: Session): Promise<Outcome> {
  const { database, services, settings } = session
  const name = nameOf(input)
  const { slug, owner: ownerEmail } = input.values
  const made = await database.write(async tx => {
    const byDefault = (await claimFirstRun(tx)) ? 'enterprise' : settings.newWorkspacePlan
    const plan = plans.find(known => known === input.values.plan) ?? byDefault
    const workspace = await services.workspaces.create(tx, {
      name,
      plan,
      ...(slug === undefined ? {} : { slug }),
    })
    const email = ownerEmail === undefined ? await firstOwner(tx) : addressOf(ownerEmail)
    const owner =
      (await services.identity.findByEmail(tx, email)) ??
      (await services.identity.create(tx, {
        email,
        name: email.split('@')[0] ?? email,
        emailVerified: false,
      }))
    const caller = operatorCaller(session, workspace)
    await services.members.add(tx, caller, { userId: owner.id, role: 'owner' })
    await services.audit.record(tx, caller, {
      action: 'workspace.create',
      resourceId: workspace.id,
      details: { name, plan, owner: email },
    })
    return { workspace, owner }
  })
  const { workspace, owner } = made
  await furnishWorkspace(services, session, {
    workspaceId: workspace.id,
    userId: owner.id,
    plan: workspace.plan,
  })
  return {
    json: { ...presentWorkspace(workspace), owner: owner.email },
    lines: [
      `${workspace.id}  ${workspace.slug}  ${workspace.plan}  ${name}`,
      `Its owner is ${owner.email}. Its sandbox has an agent and a small collection.`,
    ],
  }
}

async function setPlan(input: CommandInput, session: Session): Promise<Outcome> {
  const [idOrSlug = '', wanted = ''] = input.positionals
  const plan = plans.find(known => known === wanted)
  if (plan === undefined) throw new UsageError(`PLAN must be one of ${plans.join(', ')}`)
  const requestsPerMinute = rateOf(input.values.rate)
  const workspace = await findWorkspace(session, idOrSlug)
  const changed = await session.services.workspaces.setPlan(operatorCaller(session, workspace), {
    plan,
    requestsPerMinute,
  })
  const rate = requestsPerMinute === null ? '' : ` with ${requestsPerMinute} requests a minute`
  return {
    json: { ...presentWorkspace(changed), requestsPerMinute },
    lines: [`${changed.slug} is on the plan ${plan}${rate}.`],
  }
}

const presentWorkspace = ({ id, name, slug, plan }: KnownWorkspace) => ({ id, name, slug, plan })

function nameOf(input: CommandInput): string {
  const names = [input.positionals[0], input.values.name].filter(name => name !== undefined)
  const [name = ''] = names
  if (names.length !== 1 || name.trim() === '')
    throw new UsageError('Give the workspace one name: --name NAME')
  if (name.length > 100) throw new UsageError('A name has at most 100 characters')
  return name.trim()
}

function addressOf(email: string): string {
  const address = parseAddress(email)
  if (address === null) throw new UsageError(`--owner: ${JSON.stringify(email)} is no e-mail address`)
  return address
}

/** On an empty server the same address that a first start would use. */
async function firstOwner(tx: Tx): Promise<string> {
  const owner = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.role', '=', 'owner')
    .orderBy('members.workspace_id')
    .orderBy('members.id')
    .limit(1)
    .executeTakeFirst()
  return owner?.email ?? firstOwnerEmail
}

const maxRate = 10_000_000

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null
  const rate = Number(text)
  if (!/^\d+$/.test(text) || rate < 1 || rate > maxRate) {
    throw new OperatorError(`--rate must be a whole number from 1 to ${maxRate}`)
  }
  return rate
}
