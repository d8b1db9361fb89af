/** The records of the API by the names that people use for them. */
import type { Data, Item } from './transport/operations.ts'

export type Agent = Data<'getAgent'>
export type AgentRevision = Item<'listAgentRevisions'>
export type AgentTemplate = Item<'listAgentTemplates'>
export type AgentTool = Item<'listAgentTools'>
export type ApiKey = Data<'getApiKey'>
export type BrowserToken = Data<'getBrowserToken'>
export type AuditEntry = Item<'listAuditLog'>
export type Collection = Data<'getCollection'>
export type Conversation = Data<'getConversation'>
export type Event = Item<'listEvents'>
export type Connection = Data<'getIntegration'>
export type ConnectionSync = Data<'getConnectionSync'>
export type ConnectionTool = Item<'listIntegrationTools'>
export type Document = Data<'getDocument'>
export type DocumentVersion = Item<'listDocumentVersions'>
export type Integration = Item<'listIntegrationCatalog'>
export type Invitation = Data<'getInvitation'>
export type LastRun = Item<'listLastRuns'>
export type ListedRun = Item<'listRuns'>
export type Me = Data<'getMe'>
export type Member = Data<'getMember'>
export type Model = Item<'listModels'>
export type PublicChat = Data<'getPublicChat'>
export type Run = Data<'getRun'>
export type Schedule = Data<'getSchedule'>
export type SearchHit = Item<'searchKnowledge'>
export type Sync = Data<'getSync'>
export type Team = Data<'getTeam'>
export type TrashedCollection = Item<'listTrashedCollections'>
export type TrashedDocument = Item<'listTrash'>
export type Trigger = Data<'getTrigger'>
export type Usage = Data<'getUsage'>
export type UsageRow = Item<'getUsageHistory'>
export type Webhook = Data<'getWebhook'>
export type WebhookDelivery = Data<'getWebhookDelivery'>

type PendingCall = Run['pendingToolCalls'][number] | Run['pendingApprovals'][number]

/** A call for which a run waits, be it its own or one of a run within it. */
export const idOfCall = ({ runId, toolCallId }: PendingCall): string => `${runId} ${toolCallId}`

/** Whether a run waits for nothing that it did not wait for then. */
export function isSameWait(before: Run, now: Run): boolean {
  const known = new Set([...before.pendingToolCalls, ...before.pendingApprovals].map(idOfCall))
  const pending = [...now.pendingToolCalls, ...now.pendingApprovals]
  return now.status === 'waiting' && pending.every(call => known.has(idOfCall(call)))
}

/** The titles of the documents that the run's searches have shown, by id. */
export function titlesOf({ steps }: Pick<Run, 'steps'>): Map<string, string> {
  const titles = new Map<string, string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { documentId, title } = value as Record<string, unknown>
    if (typeof documentId === 'string' && typeof title === 'string' && title !== '')
      titles.set(documentId, title)
    Object.values(value).forEach(walk)
  }
  walk(steps)
  return titles
}

type Passage = Pick<Run['citations'][number], 'documentId' | 'documentVersion' | 'startOffset' | 'endOffset'>

/** The page of the console at `origin` that shows a cited passage. */
export function passageUrl(origin: string, environment: Me['environment'], passage: Passage): string {
  const { documentId, documentVersion, startOffset, endOffset } = passage
  // The console opens in live.
  const place = environment === 'test' ? '&environment=test' : ''
  return `${origin}/knowledge/documents/${documentId}?version=${documentVersion}&from=${startOffset}&to=${endOffset}${place}`
}
