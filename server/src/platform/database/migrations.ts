/** The migrations in their order; a new one is added at the end. */
import type { Migration } from './ddl.ts'
import { workspacesMigration } from './migrations/0001-workspaces.ts'
import { jobsMigration } from './migrations/0002-jobs.ts'
import { knowledgeMigration } from './migrations/0003-knowledge.ts'
import { agentsMigration } from './migrations/0004-agents.ts'
import { integrationsMigration } from './migrations/0005-integrations.ts'
import { searchMigration } from './migrations/0006-search.ts'
import { documentVersionsMigration } from './migrations/0007-document-versions.ts'
import { documentFieldsMigration } from './migrations/0008-document-fields.ts'
import { vectorsMigration } from './migrations/0009-vectors.ts'
import { syncSessionsMigration } from './migrations/0010-sync-sessions.ts'
import { resumableUploadsMigration } from './migrations/0011-resumable-uploads.ts'
import { searchLanguagesMigration } from './migrations/0012-search-languages.ts'
import { documentsUnderWayMigration } from './migrations/0013-documents-under-way.ts'
import { importsMigration } from './migrations/0014-imports.ts'
import { runEventsMigration } from './migrations/0015-run-events.ts'
import { modelProvidersMigration } from './migrations/0016-model-providers.ts'
import { agentRevisionsMigration } from './migrations/0017-agent-revisions.ts'
import { toolCallsMigration } from './migrations/0018-tool-calls.ts'
import { conversationsMigration } from './migrations/0019-conversations.ts'
import { runInputsMigration } from './migrations/0020-run-inputs.ts'
import { budgetsOutboxMigration } from './migrations/0021-budgets-outbox.ts'
import { signInMigration } from './migrations/0022-sign-in.ts'
import { workspaceLifeMigration } from './migrations/0023-workspace-life.ts'
import { teamAccessMigration } from './migrations/0024-team-access.ts'
import { webhooksMigration } from './migrations/0025-webhooks.ts'
import { usageMigration } from './migrations/0026-usage.ts'
import { connectionSyncsMigration } from './migrations/0027-connection-syncs.ts'
import { connectionAuthMigration } from './migrations/0028-connection-auth.ts'
import { agentConnectionsMigration } from './migrations/0029-agent-connections.ts'
import { runConnectionsMigration } from './migrations/0030-run-connections.ts'
import { reachOfRepliesMigration } from './migrations/0031-reach-of-replies.ts'
import { storedRunsMigration } from './migrations/0032-stored-runs.ts'
import { partsOfChangesMigration } from './migrations/0033-parts-of-changes.ts'
import { nodesMigration } from './migrations/0034-nodes.ts'
import { removalsMigration } from './migrations/0035-removals.ts'
import { schedulesMigration } from './migrations/0036-schedules.ts'

export const migrations: readonly Migration[] = [
  workspacesMigration,
  jobsMigration,
  knowledgeMigration,
  agentsMigration,
  integrationsMigration,
  searchMigration,
  documentVersionsMigration,
  documentFieldsMigration,
  vectorsMigration,
  syncSessionsMigration,
  resumableUploadsMigration,
  searchLanguagesMigration,
  documentsUnderWayMigration,
  importsMigration,
  runEventsMigration,
  modelProvidersMigration,
  agentRevisionsMigration,
  toolCallsMigration,
  conversationsMigration,
  runInputsMigration,
  budgetsOutboxMigration,
  signInMigration,
  workspaceLifeMigration,
  teamAccessMigration,
  webhooksMigration,
  usageMigration,
  connectionSyncsMigration,
  connectionAuthMigration,
  agentConnectionsMigration,
  runConnectionsMigration,
  reachOfRepliesMigration,
  storedRunsMigration,
  partsOfChangesMigration,
  nodesMigration,
  removalsMigration,
  schedulesMigration,
]
