/** Every table of the database, as Kysely sees it: the sum of the features' tables. */
import type { AgentTables } from './tables/agents.ts'
import type { ConversationTables } from './tables/conversations.ts'
import type { EventTables } from './tables/events.ts'
import type { IntakeTables } from './tables/intake.ts'
import type { IntegrationTables } from './tables/integrations.ts'
import type { JobTables } from './tables/jobs.ts'
import type { KnowledgeTables } from './tables/knowledge.ts'
import type { ModelTables } from './tables/models.ts'
import type { NodeTables } from './tables/nodes.ts'
import type { ScheduleTables } from './tables/schedules.ts'
import type { SignInTables } from './tables/sign-in.ts'
import type { UsageTables } from './tables/usage.ts'
import type { VectorTables } from './tables/vectors.ts'
import type { WebhookTables } from './tables/webhooks.ts'
import type { WorkspaceTables } from './tables/workspaces.ts'

export type Tables = WorkspaceTables &
  SignInTables &
  JobTables &
  KnowledgeTables &
  IntakeTables &
  VectorTables &
  AgentTables &
  ConversationTables &
  ModelTables &
  UsageTables &
  EventTables &
  WebhookTables &
  IntegrationTables &
  NodeTables &
  ScheduleTables
