/**
 * Writes a workspace as one archive: its collections, agents and teams. Never people, keys, connections or secrets.
 */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { contentFields } from '../../features/agents/definitions/agent-fields.ts'
import { NewAgentFrame } from '../../features/agents/definitions/agent-frame.ts'
import {
  type Bytes,
  exportCollection,
  jsonEntry,
  packArchive,
} from '../../features/knowledge/archive/export-collection.ts'
import {
  type ArchiveCounts,
  archiveFormat,
  entryNames,
  noCounts,
} from '../../features/knowledge/archive/format.ts'
import { type Caller, type Environment, environments } from '../../platform/caller.ts'
import { toTimestamp } from '../../platform/clock.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { OperatorError } from '../errors.ts'
import { type KnownWorkspace, operatorCaller, type Session } from '../session.ts'

const short = Type.String({ maxLength: 2_000 })

// Which collections and agents of an archived workspace are kept to which teams. Teams are listed by name, since a
// team gets a new id elsewhere.

/** `id` is the id of the collection or agent in the archive. */
const ArchivedAccess = Type.Array(
  Type.Closed({
    environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
    kind: Type.Union([Type.Literal('collection'), Type.Literal('agent')]),
    id: short,
    teams: Type.Array(short, { maxItems: 100 }),
  }),
  { maxItems: 1_000 },
)
export type ArchivedAccess = Static<typeof ArchivedAccess>

type StoredAccess = { id: string; access: string; teamIds: readonly string[] }

/** `list` yields the collections and agents of an environment, page by page. */
async function describeAccess(
  session: Session,
  workspace: KnownWorkspace,
  teamNames: ReadonlyMap<string, string>,
  list: (caller: Caller) => AsyncIterable<{ kind: 'collection' | 'agent'; records: readonly StoredAccess[] }>,
): Promise<ArchivedAccess> {
  const described: ArchivedAccess = []
  for (const environment of environments) {
    for await (const { kind, records } of list(operatorCaller(session, workspace, { environment }))) {
      for (const { id, access, teamIds } of records) {
        if (access !== 'teams') continue
        described.push({
          environment,
          kind,
          id,
          teams: teamIds.flatMap(teamId => teamNames.get(teamId) ?? []),
        })
      }
    }
  }
  return described
}

/** Skips a team that could not be made: its records are kept to the remaining teams, or to owners and admins. */
export async function takeAccess(
  session: Session,
  workspace: KnownWorkspace,
  archived: ArchivedAccess,
  made: { teamIds: ReadonlyMap<string, string>; ids: ReadonlyMap<string, string> },
): Promise<void> {
  const { collections, agents } = session.services
  const callerIn = (environment: Environment) => operatorCaller(session, workspace, { environment })
  for (const { environment, kind, id, teams } of archived) {
    const newId = made.ids.get(id)
    if (newId === undefined) continue
    const teamIds = teams.flatMap(name => made.teamIds.get(name) ?? [])
    const change = { access: 'teams' as const, teamIds }
    if (kind === 'collection') await collections.update(callerIn(environment), newId, change, null)
    else await agents.update(callerIn(environment), newId, change, null)
  }
}

/** The content of `workspace.json`. */
export const ArchivedWorkspace = Type.Closed({
  name: short,
  teams: Type.Array(Type.Closed({ name: short, description: Type.Union([short, Type.Null()]) }), {
    maxItems: 1_000,
  }),
  agents: Type.Array(
    Type.Closed({
      environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
      name: short,
      description: Type.Union([short, Type.Null()]),
      model: short,
      instructions: Type.String({ maxLength: 50_000 }),
      /** Ids in the archive; empty means all collections. */
      collectionIds: Type.Array(short, { maxItems: 100 }),
      tools: Type.Array(short, { maxItems: 20 }),
      // Archives of older versions lack these fields.
      id: Type.Optional(short),
      fallbackModel: Type.Optional(contentFields.fallbackModel),
      approvalTools: Type.Optional(contentFields.approvalTools),
      functions: Type.Optional(contentFields.functions),
      httpHosts: Type.Optional(contentFields.httpHosts),
      variables: Type.Optional(contentFields.variables),
      limits: Type.Optional(contentFields.limits),
      modelParameters: Type.Optional(contentFields.modelParameters),
      /** Ids in the archive. */
      agentIds: Type.Optional(contentFields.agentIds),
      /** Ignored by the import: connections are not part of an archive. */
      connectionIds: Type.Optional(contentFields.connectionIds),
      /**
       * Ids in the archive: its runs reach no other collections, because its writer did not. Absent if its runs reach
       * what their callers do.
       */
      reach: Type.Optional(Type.Array(short)),
      status: Type.Union([Type.Literal('active'), Type.Literal('paused')]),
      viewersMayRun: Type.Optional(Type.Boolean()),
      frame: Type.Optional(NewAgentFrame),
    }),
    { maxItems: 2_000 },
  ),
  /** Absent if everything is open to the whole workspace. */
  access: Type.Optional(ArchivedAccess),
})
export type ArchivedWorkspace = Static<typeof ArchivedWorkspace>
export const workspaceEntry = 'workspace.json'

/** Writes the file, which must not exist; it gets its final name only when it is complete. */
export async function exportWorkspace(
  session: Session,
  workspace: KnownWorkspace,
  file: string,
  progress: (line: string) => void,
): Promise<ArchiveCounts> {
  const counts = noCounts()
  const unfinished = `${file}.unfinished-${process.pid}`
  const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await checkTarget(file)
    await pipeline(
      packArchive(() => entriesOf(session, workspace, counts, progress)),
      target,
    )
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
  return counts
}

async function checkTarget(file: string): Promise<void> {
  if ((await stat(file).catch(() => null)) !== null) throw new OperatorError(`${file} is there already`)
}

async function* entriesOf(
  session: Session,
  workspace: KnownWorkspace,
  counts: ArchiveCounts,
  progress: (line: string) => void,
): Bytes {
  const createdAt = toTimestamp(session.clock())
  yield* jsonEntry(entryNames.manifest, { format: archiveFormat, kind: 'workspace', createdAt })
  yield* jsonEntry(workspaceEntry, await describe(session, workspace))
  for (const environment of environments) {
    const caller = operatorCaller(session, workspace, { environment })
    for await (const row of allOf(page => session.services.collections.list(caller, page))) {
      yield* exportCollection(session, row, counts.collections + 1, counts)
      progress(`${environment} ${row.name}: ${row.document_count} documents`)
    }
  }
  yield* jsonEntry(entryNames.end, counts)
}

async function describe(session: Session, workspace: KnownWorkspace): Promise<ArchivedWorkspace> {
  const { services } = session
  const agents: ArchivedWorkspace['agents'] = []
  for (const environment of environments) agents.push(...(await agentsOf(environment)))
  const caller = operatorCaller(session, workspace)
  const teams: ArchivedWorkspace['teams'] = []
  const teamNames = new Map<string, string>()
  for await (const { id, name, description } of allOf(page => services.teams.list(caller, page))) {
    teams.push({ name, description })
    teamNames.set(id, name)
  }
  const access = await describeAccess(session, workspace, teamNames, async function* (scoped) {
    for await (const row of allOf(page => services.collections.list(scoped, page))) {
      yield { kind: 'collection', records: await services.collections.presentAll(scoped, [row]) }
    }
    for await (const row of allOf(page => services.agents.list(scoped, page))) {
      yield { kind: 'agent', records: await services.agents.presentAll(scoped, [row]) }
    }
  })
  return withoutUndefined({
    name: workspace.name,
    teams,
    agents,
    access: access.length > 0 ? access : undefined,
  })

  async function agentsOf(environment: Environment): Promise<ArchivedWorkspace['agents']> {
    const scoped = operatorCaller(session, workspace, { environment })
    const found: ArchivedWorkspace['agents'] = []
    for await (const row of allOf(page => services.agents.list(scoped, page))) {
      const { id, status, viewers_may_run: viewers, frame, published_revision: published } = row
      const { content } = await services.revisions.get(scoped, id, published)
      const reach = await services.revisions.reach(scoped, id, published)
      const narrowed = reach === null ? {} : { reach: [...reach] }
      const switches = { status, viewersMayRun: viewers === 1, frame: decodeJson(frame) }
      found.push({ environment, id, ...switches, ...content, ...narrowed })
    }
    return found
  }
}

/** Yields the oldest last, like every list. */
async function* allOf<Row extends { id: string }>(
  list: (page: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<Row> {
  for (let after: string | undefined; ; ) {
    const { items } = await list({ page: 1, pageSize: 100, after })
    yield* items
    after = items.at(-1)?.id
    if (items.length < 100) return
  }
}
