/** Makes a workspace: empty with an owner, or from an archive. If an import fails, the workspace is removed again. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { firstOwnerEmail } from '../../features/identity/service.ts'
import {
  type ArchiveCounts,
  ArchiveFault,
  damaged,
  noCounts,
} from '../../features/knowledge/archive/format.ts'
import {
  beginCollection,
  type CollectionImport,
  importEntries,
  unlimitedText,
} from '../../features/knowledge/archive/import-collection.ts'
import { openArchive, readJson } from '../../features/knowledge/archive/read-archive.ts'
import { createEraseQueue } from '../../features/knowledge/processing/erase.ts'
import { eraseJob } from '../../features/knowledge/records/document-jobs.ts'
import { createIndexWriter } from '../../features/knowledge/search/index/index-writer.ts'
import type { Services } from '../../features.ts'
import { type Caller, type Environment, plans } from '../../platform/caller.ts'
import { dayMs } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { parseAddress } from '../../platform/mail/address.ts'
import { claimFirstRun } from '../../start/first-run.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { type KnownWorkspace, operatorCaller, type Session } from '../session.ts'
import { ArchivedWorkspace, takeAccess, workspaceEntry } from './workspace-export.ts'

export type ImportedWorkspace = {
  workspace: KnownWorkspace
  counts: ArchiveCounts
  /** The agents and teams that were changed or left out, and why. */
  notes: string[]
}

export async function importWorkspace(
  session: Session,
  file: string,
  wanted: Omit<NewWorkspace, 'name'> & { name?: string },
  progress: (line: string) => void,
): Promise<ImportedWorkspace> {
  if ((await stat(file).catch(() => null))?.isFile() !== true)
    throw new OperatorError(`There is no file ${file}`)
  const archive = await openArchive(createReadStream(file), () => undefined).catch(asOperatorError)
  try {
    if (archive.kind !== 'workspace') {
      throw new OperatorError('The archive is of one collection: send it to POST /knowledge/imports')
    }
    const first = await archive.next()
    if (first?.name !== workspaceEntry) throw damaged(`${workspaceEntry} is missing`)
    const record = await readJson(first, ArchivedWorkspace)
    const { workspace } = await makeWorkspace(session, { ...wanted, name: wanted.name ?? record.name })
    const made: MadeCollection[] = []
    try {
      const counts = noCounts()
      const collections = await takeCollections(session, workspace, archive, counts, made, progress)
      const notes = await makeTheRest(session, workspace, record, collections)
      return { workspace, counts, notes }
    } catch (error) {
      await eraseImported(session, workspace, made)
      throw error
    }
  } catch (error) {
    return asOperatorError(error)
  } finally {
    archive.close()
  }
}

/** A killed process cannot clean up. So an import's collections are erased after a day, unless it completes first. */
const abandonedMs = dayMs

function asOperatorError(error: unknown): never {
  throw error instanceof ArchiveFault ? new OperatorError(error.message) : error
}

async function takeCollections(
  session: Session,
  workspace: KnownWorkspace,
  archive: Awaited<ReturnType<typeof openArchive>>,
  counts: ArchiveCounts,
  made: MadeCollection[],
  progress: (line: string) => void,
): Promise<CollectionImport[]> {
  const { database, services } = session
  const { jobs } = services
  const dependencies = { ...session, index: createIndexWriter(database), jobs }
  const abandoned: string[] = []
  const collections = await importEntries(archive, counts, async (number, entry) => {
    progress(`collection ${number}`)
    const scopeOf = ({ environment }: { environment: Environment }) => ({
      workspaceId: workspace.id,
      environment,
    })
    return beginCollection(dependencies, scopeOf, entry, counts, {
      maxFileBytes: Number.MAX_SAFE_INTEGER,
      textRoom: unlimitedText,
      takesNewModels: true,
      signal: new AbortController().signal,
      write: database.write,
      onMade: async (tx, id, { environment }) => {
        made.push({ id, environment })
        const runAt = session.clock() + abandonedMs
        abandoned.push(
          await jobs.enqueue(tx, {
            ...eraseJob({ workspaceId: workspace.id, environment }, { collectionId: id }),
            runAt,
          }),
        )
      },
    })
  })
  for (const collection of collections) {
    await collection.index()
    progress(`${collection.record.name}: indexed`)
  }
  await database.write(async tx => {
    for (const jobId of abandoned) await jobs.cancel(tx, jobId)
    for (const collection of collections) {
      await collection.show(tx)
      const caller = operatorCaller(session, workspace, { environment: collection.record.environment })
      await services.audit.record(tx, caller, {
        action: 'collection.create',
        resourceId: collection.collectionId,
        details: { name: collection.record.name, imported: true },
      })
    }
  })
  return collections
}

/**
 * Makes the agents and teams. One that cannot be exactly as before is made as close as is safe, or left out; a note
 * says so.
 */
async function makeTheRest(
  session: Session,
  workspace: KnownWorkspace,
  { teams, agents, access = [] }: ArchivedWorkspace,
  collections: readonly CollectionImport[],
): Promise<string[]> {
  const { services } = session
  const notes: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const reasons = error.errors.map(({ field, message }) => `${field}: ${message}`).join('; ')
      notes.push(`${what} was left out: ${reasons || error.message}`)
    }
  }
  const teamIds = new Map<string, string>()
  // Lists show the newest first, and so does the archive. So teams and agents are made in reverse order.
  for (const { name, description } of teams.toReversed()) {
    const team = description === null ? { name } : { name, description }
    await attempt(`The team ${name}`, async () => {
      const { id } = await services.teams.create(operatorCaller(session, workspace), team)
      teamIds.set(name, id)
    })
  }
  const newIds = new Map(collections.map(({ record, collectionId }) => [record.id, collectionId]))
  const newAgentIds = new Map<string, string>()
  /** The author of an agent: the operator, who reaches no more collections than the agent's writer did. */
  const writerOf = (environment: Environment, reach: readonly string[] | undefined): Caller => {
    const caller = operatorCaller(session, workspace, { environment })
    if (reach === undefined) return caller
    const collectionIds = reach.flatMap(id => newIds.get(id) ?? [])
    return { ...caller, scope: { ...caller.scope, collectionIds } }
  }
  for (const { id, agentIds: _, environment, collectionIds, reach, ...archived } of agents.toReversed()) {
    const agent = withoutConnections(services.tools, archived, notes)
    const known = collectionIds.flatMap(id => newIds.get(id) ?? [])
    const isWidened = collectionIds.length > 0 && known.length === 0
    if (isWidened) notes.push(`The agent ${agent.name} is paused: none of its collections is in the archive`)
    const status = isWidened ? 'paused' : agent.status
    await attempt(`The agent ${agent.name}`, async () => {
      const caller = writerOf(environment, reach)
      const made = await services.agents.create(caller, { ...agent, status, collectionIds: known })
      if (id !== undefined) newAgentIds.set(id, made.id)
    })
  }
  // An agent may call agents that were made after it.
  for (const { id = '', name, environment, agentIds = [], reach } of agents) {
    const newId = newAgentIds.get(id)
    const known = agentIds.flatMap(callee => newAgentIds.get(callee) ?? [])
    if (newId === undefined || known.length === 0) continue
    const caller = writerOf(environment, reach)
    await attempt(`What the agent ${name} may call`, () =>
      services.agents.update(caller, newId, { agentIds: known }, null),
    )
  }
  await takeAccess(session, workspace, access, { teamIds, ids: new Map([...newIds, ...newAgentIds]) })
  return notes
}

type ConnectedAgent = Pick<
  ArchivedWorkspace['agents'][number],
  'name' | 'tools' | 'approvalTools' | 'connectionIds'
>

/** Connections stay where their secrets are, so the tools that use them are left out too. */
function withoutConnections<Agent extends ConnectedAgent>(
  known: Services['tools'],
  { connectionIds: _, ...agent }: Agent,
  notes: string[],
) {
  const connected = new Set(known.filter(tool => tool.integrationId !== undefined).map(({ name }) => name))
  const lost = agent.tools.filter(name => connected.has(name))
  if (lost.length === 0) return agent
  notes.push(
    `The agent ${agent.name} has no ${lost.join(', ')} any more: connect the services here, and give them to it`,
  )
  const keeps = (name: string) => !connected.has(name)
  const approvalTools = agent.approvalTools?.filter(keeps)
  return { ...agent, tools: agent.tools.filter(keeps), approvalTools }
}

// Erases everything that a failed import has made for a workspace, before the workspace is used.

type MadeCollection = { id: string; environment: Environment }

/** Erases everything at once, in this process, with the same work as the server's job. */
async function eraseImported(
  session: Session,
  workspace: Pick<KnownWorkspace, 'id'>,
  collections: readonly MadeCollection[],
): Promise<void> {
  const { database, services, newId } = session
  const queue = createEraseQueue({
    ...session,
    index: createIndexWriter(database),
    jobs: services.jobs,
    audit: services.audit,
    eraseTraces: [],
    remembersCollection: async () => false,
  })
  for (const { id: collectionId, environment } of collections) {
    await queue.handle({
      id: newId('job'),
      payload: { scope: { workspaceId: workspace.id, environment }, collectionId },
      attempt: 1,
      lastAttempt: true,
      kills: 0,
      signal: new AbortController().signal,
      write: database.write,
      complete: database.write,
      endIn: async () => undefined,
    })
  }
  await database.write(async tx => {
    const indexes = tx.selectFrom('search_indexes').select('number').where('workspace_id', '=', workspace.id)
    await tx.deleteFrom('search_languages').where('index_number', 'in', indexes).execute()
    await tx.deleteFrom('search_indexes').where('workspace_id', '=', workspace.id).execute()
    await tx.deleteFrom('jobs').where('lane', '=', workspace.id).execute()
    for (const table of ['agent_revisions', 'agents', 'teams', 'audit_log', 'members'] as const) {
      await tx.deleteFrom(table).where('workspace_id', '=', workspace.id).execute()
    }
    await tx.deleteFrom('workspaces').where('id', '=', workspace.id).execute()
  })
}

// Makes a workspace with an owner, for `workspace create` and `workspace import`.

type NewWorkspace = {
  name: string
  /** Derived from the name if not given. */
  slug?: string
  /** If not given: enterprise for the first workspace, otherwise the plan from the settings. */
  plan?: string
  /** An e-mail address; if not given, the first owner of the first workspace. */
  owner?: string
}

/** The new workspace and its sandbox are still empty. */
export function makeWorkspace(
  session: Session,
  wanted: NewWorkspace,
): Promise<{ workspace: KnownWorkspace; owner: { id: string; email: string } }> {
  const { database, services, settings } = session
  const { name, slug, owner: ownerEmail } = wanted
  return database.write(async tx => {
    const byDefault = (await claimFirstRun(tx)) ? 'enterprise' : settings.newWorkspacePlan
    const plan = plans.find(known => known === wanted.plan) ?? byDefault
    const workspace = await services.workspaces.create(
      tx,
      withoutUndefined({
        name,
        plan,
        slug,
      }),
    )
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
}

function addressOf(email: string): string {
  const address = parseAddress(email)
  if (address === null) throw new UsageError(`--owner: ${JSON.stringify(email)} is no e-mail address`)
  return address
}

/** On an empty server: the address that a first start would use. */
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
