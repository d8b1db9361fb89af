/** Every table of the database, as Kysely sees it: the sum of the features' tables. */
import type { AgentTables } from './tables/agents.ts'
import type { EventTables } from './tables/events.ts'
import type { IntegrationTables } from './tables/integrations.ts'
import type { JobTables } from './tables/jobs.ts'
import type { KnowledgeTables } from './tables/knowledge.ts'
import type { ModelTables } from './tables/models.ts'
import type { SearchTables } from './tables/search.ts'
import type { SignInTables } from './tables/sign-in.ts'
import type { WorkspaceTables } from './tables/workspaces.ts'

export type Tables = WorkspaceTables &
  SignInTables &
  JobTables &
  ModelTables &
  KnowledgeTables &
  SearchTables &
  IntegrationTables &
  AgentTables &
  EventTables
