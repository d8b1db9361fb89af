/** Openings: an owner or admin reads another person's conversation for an hour, and the person sees a record. */
import type { Selectable } from 'kysely'
import type { Caller, Scope } from '../../../platform/caller.ts'
import { hourMs, toTimestamp } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { forbidden, found, limitReached, type ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { AuditService } from '../../audit/service.ts'
import type { NewOpening, Opening } from './conversation-schemas.ts'
import { findAnyConversation, findConversation } from './conversation-store.ts'

export type OpeningService = ReturnType<typeof createOpeningService>

const openMs = hourMs
/** Openings of one person at once. Each SQL statement of that person names all of them. */
const maxOpen = 100

export function createOpeningService({
  database,
  clock,
  newId,
  audit,
  onChange,
}: Pick<Platform, 'database' | 'clock' | 'newId'> & {
  audit: AuditService
  /** Called after each opening, so that this process forgets what the caller could read before. */
  onChange: () => void
}) {
  return {
    /** Throws `permission_missing` for a program, and `limit_reached`. The conversation stays as it is. */
    open: (caller: Caller, conversationId: string, { reason }: NewOpening): Promise<Opening> =>
      database.write(async tx => {
        const { scope } = caller
        const find = caller.kind === 'person' ? findAnyConversation : findConversation
        const conversation = found(await find(scope, tx, conversationId))
        if (caller.kind !== 'person') throw onlyForPersons()
        const now = clock()
        if ((await countOpen(tx, caller.userId, now)) >= maxOpen) throw tooMany()
        const row = {
          id: newId('opening'),
          conversation_id: conversationId,
          workspace_id: scope.workspaceId,
          environment: scope.environment,
          user_id: caller.userId,
          reason: reason.trim(),
          created_at: now,
          expires_at: now + openMs,
        }
        await tx.insertInto('conversation_openings').values(row).execute()
        await audit.record(tx, caller, {
          action: 'conversation.open',
          resourceId: conversationId,
          details: { ownerId: conversation.owner_id, reason: row.reason, openingId: row.id },
        })
        database.afterCommit(tx, onChange)
        return presentOpening(row)
      }),

    /** The conversation's owner gets all openings, other readers only their own. */
    async list({ scope }: Caller, conversationId: string, page: PageRequest): Promise<Page<Opening>> {
      const { read } = database
      const conversation = found(await findConversation(scope, read, conversationId))
      const isOwn = conversation.owner_id !== null && conversation.owner_id === scope.reader?.personId
      const { items, total } = await listOpenings(scope, read, conversationId, isOwn, page)
      return { items: items.map(presentOpening), total }
    },
  }
}

type OpeningRow = Selectable<Tables['conversation_openings']>

const listOpenings = (
  { reader }: Scope,
  query: Query,
  conversationId: string,
  isOwn: boolean,
  page: PageRequest,
): Promise<Page<OpeningRow>> =>
  pageOf(
    query
      .selectFrom('conversation_openings')
      .selectAll()
      .where('conversation_id', '=', conversationId)
      .$if(!isOwn, rows => rows.where('user_id', '=', reader?.personId ?? '')),
    page,
  )

/** The person's openings in all workspaces. */
const countOpen = (query: Query, userId: string, now: number): Promise<number> =>
  countOf(
    query.selectFrom('conversation_openings').where('user_id', '=', userId).where('expires_at', '>', now),
  )

const presentOpening = (row: OpeningRow): Opening => ({
  id: row.id,
  conversationId: row.conversation_id,
  openedBy: row.user_id,
  reason: row.reason,
  createdAt: toTimestamp(row.created_at),
  expiresAt: toTimestamp(row.expires_at),
})

const onlyForPersons = (): ServiceError =>
  forbidden(
    'person',
    'A key cannot open the conversation of a person: an owner or admin does it in the console',
  )

const tooMany = (): ServiceError =>
  limitReached(
    'openings',
    maxOpen,
    `A person has at most ${maxOpen} conversations open; wait until one closes`,
  )
