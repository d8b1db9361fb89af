/** `workspace create`, `list`, `set-plan`, `set-budget`, `delete`, `restore`, `export`, `import`. */

import { resolve } from 'node:path'
import { plans } from '../../platform/caller.ts'
import { toOptionalTimestamp } from '../../platform/clock.ts'
import { ServiceError } from '../../platform/errors.ts'
import { furnishWorkspace } from '../../start/furnish.ts'
import { type Command, type CommandInput, inSession, type Outcome } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { findWorkspace, type KnownWorkspace, operatorCaller, type Session } from '../session.ts'
import { exportWorkspace } from '../workspaces/workspace-export.ts'
import { importWorkspace, makeWorkspace } from '../workspaces/workspace-import.ts'

const optionsOfNew = {
  slug: { value: 'SLUG', help: 'Its short name; derived from the name unless given.' },
  plan: {
    value: 'PLAN',
    choices: plans,
    help: `${plans.join(', ')}; enterprise for the first workspace, then ATRIUM_NEW_WORKSPACE_PLAN.`,
  },
  owner: { value: 'EMAIL', help: "Its owner; the first workspace's first owner unless named." },
}

export const workspaceCommands: Command[] = [
  {
    name: 'workspace create',
    summary: 'Makes a workspace with an owner.',
    positionals: ['[NAME]'],
    options: {
      name: { value: 'NAME', help: 'Its name, if it is not given as a word of its own.' },
      ...optionsOfNew,
    },
    run: inSession(createWorkspace),
  },
  {
    name: 'workspace list',
    summary: 'Lists the workspaces, oldest first.',
    positionals: [],
    options: {},
    async run(_input, context) {
      const { services } = await context.open()
      const json = (await services.workspaces.list()).map(presentWorkspace)
      const lines = json.map(({ id, slug, plan, name, deletesAt }) =>
        [
          id,
          slug,
          plan,
          name,
          ...(deletesAt === null ? [] : [`(deleted; erased from ${deletesAt} on)`]),
        ].join('  '),
      )
      return { json, lines: lines.length === 0 ? ['There are no workspaces.'] : lines }
    },
  },
  {
    name: 'workspace set-plan',
    summary: 'Changes what a workspace may use; a running server obeys within seconds.',
    positionals: ['W', 'PLAN'],
    options: { rate: { value: 'N', help: "Requests a minute, instead of the plan's number." } },
    run: inSession(setPlan),
  },
  {
    name: 'workspace set-budget',
    summary: 'Changes what the runs of a workspace may cost in a calendar month.',
    positionals: ['W', 'USD'],
    options: {},
    run: inSession(setBudget),
  },
  {
    name: 'workspace delete',
    summary: 'Refuses a workspace to everybody; it is erased after ATRIUM_WORKSPACE_GRACE_DAYS.',
    positionals: ['W'],
    options: {},
    run: inSession(deleteWorkspace),
  },
  {
    name: 'workspace restore',
    summary: 'Takes the deletion of a workspace back, until it is being erased.',
    positionals: ['W'],
    options: {},
    run: inSession(restoreWorkspace),
  },
  {
    name: 'workspace export',
    summary: 'Writes its collections, agents and teams into one file; the server may go on.',
    positionals: ['W', 'FILE'],
    options: {},
    async run({ positionals: [idOrSlug = '', file = ''] }, context) {
      const session = await context.open()
      const workspace = await findWorkspace(session, idOrSlug)
      const counts = await exportWorkspace(session, workspace, resolve(file), context.progress)
      return {
        json: { file: resolve(file), workspace: workspace.slug, ...counts },
        lines: [
          `${file} holds ${counts.collections} collections with ${counts.documents} documents of ${workspace.slug}.`,
          'People, keys, connections and secrets are not in it.',
        ],
      }
    },
  },
  {
    name: 'workspace import',
    summary: 'Makes a workspace of such a file; the server may go on.',
    positionals: ['FILE'],
    options: {
      name: { value: 'NAME', help: 'Its name; the one in the file unless given.' },
      ...optionsOfNew,
    },
    async run({ positionals: [file = ''], values }, context) {
      const session = await context.open()
      const { workspace, counts, notes } = await importWorkspace(
        session,
        resolve(file),
        values,
        context.progress,
      )
      const { id, name, slug, plan } = workspace
      return {
        json: { id, name, slug, plan, ...counts, notes },
        lines: [`${id}  ${slug}  ${plan}  ${name}`, `${counts.documents} documents are in it.`, ...notes],
      }
    },
  },
]

async function createWorkspace(input: CommandInput, session: Session): Promise<Outcome> {
  const { services } = session
  const { workspace, owner } = await makeWorkspace(session, {
    ...input.values,
    name: nameOf(input),
  })
  await furnishWorkspace(services, session, {
    workspaceId: workspace.id,
    userId: owner.id,
    plan: workspace.plan,
  })
  return {
    json: { ...presentWorkspace(workspace), owner: owner.email },
    lines: [
      `${workspace.id}  ${workspace.slug}  ${workspace.plan}  ${workspace.name}`,
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

async function setBudget({ positionals }: CommandInput, session: Session): Promise<Outcome> {
  const [idOrSlug = '', wanted = ''] = positionals
  const monthlyCostLimitUsd = budgetOf(wanted)
  const workspace = await findWorkspace(session, idOrSlug)
  const caller = operatorCaller(session, workspace)
  const changed = await session.services.workspaces.update(caller, { monthlyCostLimitUsd }, null)
  const budget =
    monthlyCostLimitUsd === null ? 'without a limit' : `up to ${monthlyCostLimitUsd} US dollars a month`
  return {
    json: { ...presentWorkspace(changed), monthlyCostLimitUsd },
    lines: [`Runs of ${changed.slug} may cost ${budget}.`],
  }
}

async function deleteWorkspace({ positionals }: CommandInput, session: Session): Promise<Outcome> {
  const workspace = await findWorkspace(session, positionals[0] ?? '')
  const { slug: confirm } = workspace
  const changed = await session.services.workspaceLife.remove(operatorCaller(session, workspace), {
    confirm,
    ifMatch: null,
  })
  const json = presentWorkspace(changed)
  return { json, lines: [`${changed.slug} is deleted. It can be restored until ${json.deletesAt}.`] }
}

async function restoreWorkspace({ positionals }: CommandInput, session: Session): Promise<Outcome> {
  const workspace = await findWorkspace(session, positionals[0] ?? '')
  const caller = operatorCaller(session, workspace)
  const restored = await session.services.workspaceLife.restore(caller).catch(error => {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error
    throw new OperatorError(`${workspace.slug} is being erased: it cannot be restored any more`)
  })
  return { json: presentWorkspace(restored), lines: [`${restored.slug} is there again.`] }
}

const presentWorkspace = ({ id, name, slug, plan, deletes_at }: KnownWorkspace) => ({
  id,
  name,
  slug,
  plan,
  deletesAt: toOptionalTimestamp(deletes_at),
})

function nameOf(input: CommandInput): string {
  const names = [input.positionals[0], input.values.name].filter(name => name !== undefined)
  const [name = ''] = names
  if (names.length !== 1 || name.trim() === '')
    throw new UsageError('Give the workspace one name: --name NAME')
  if (name.length > 100) throw new UsageError('A name has at most 100 characters')
  return name.trim()
}

const maxBudgetUsd = 1_000_000_000

function budgetOf(text: string): number | null {
  if (text === 'none') return null
  const budget = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || budget > maxBudgetUsd) {
    throw new UsageError(`USD must be a number from 0 to ${maxBudgetUsd}, or none`)
  }
  return budget
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
