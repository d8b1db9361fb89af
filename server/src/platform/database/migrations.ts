/** The migrations in their order: the baseline, which is the schema as it stands, and each change to it since. */
import { agentsSchema } from './baseline/agents.ts'
import { eventsSchema } from './baseline/events.ts'
import { integrationsSchema } from './baseline/integrations.ts'
import { jobsSchema } from './baseline/jobs.ts'
import { knowledgeSchema } from './baseline/knowledge.ts'
import { modelsSchema } from './baseline/models.ts'
import { schedulesSchema } from './baseline/schedules.ts'
import { searchSchema } from './baseline/search.ts'
import { signInSchema } from './baseline/sign-in.ts'
import { workspacesSchema } from './baseline/workspaces.ts'
import type { Migration } from './ddl.ts'

const baseline: Migration = {
  number: 36,
  name: 'baseline',
  // A table comes after those that its foreign keys name.
  up: ddl =>
    [
      workspacesSchema,
      signInSchema,
      jobsSchema,
      schedulesSchema,
      modelsSchema,
      knowledgeSchema,
      searchSchema,
      integrationsSchema,
      agentsSchema,
      eventsSchema,
    ].flatMap(schemaOf => schemaOf(ddl)),
  fromPrevious: ddl => [...schedulesSchema(ddl), 'DROP TABLE chore_turns'],
}

/** A released migration is never edited; a new one is added at the end, with the next number. */
export const migrations: readonly Migration[] = [baseline]
