/** Every table of the database: as Kysely sees it, and as an empty database gets it. */

import { agentsTables } from './schema/agents.ts'
import { eventsTables } from './schema/events.ts'
import { integrationsTables } from './schema/integrations.ts'
import { jobsTables } from './schema/jobs.ts'
import { knowledgeTables } from './schema/knowledge.ts'
import { searchTables } from './schema/search.ts'
import { appTables, signInTables } from './schema/sign-in.ts'
import { modelsTables, workspacesTables } from './schema/workspaces.ts'
import { type Ddl, type RowsOf, statementsOf } from './table.ts'

// A table comes after the tables that it refers to.
const tables = {
  ...workspacesTables,
  ...appTables,
  ...signInTables,
  ...jobsTables,
  ...modelsTables,
  ...knowledgeTables,
  ...searchTables,
  ...integrationsTables,
  ...agentsTables,
  ...eventsTables,
}

export type Tables = RowsOf<typeof tables>

export const schemaOf = (ddl: Ddl): string[] => statementsOf(tables, ddl)
