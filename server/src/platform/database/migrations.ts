/** The migrations in their order; a new one is added at the end. */
import type { Migration } from './ddl.ts'
import { workspacesMigration } from './migrations/0001-workspaces.ts'
import { jobsMigration } from './migrations/0002-jobs.ts'
import { knowledgeMigration } from './migrations/0003-knowledge.ts'
import { agentsMigration } from './migrations/0004-agents.ts'
import { integrationsMigration } from './migrations/0005-integrations.ts'
import { searchMigration } from './migrations/0006-search.ts'

export const migrations: readonly Migration[] = [
  workspacesMigration,
  jobsMigration,
  knowledgeMigration,
  agentsMigration,
  integrationsMigration,
  searchMigration,
]
