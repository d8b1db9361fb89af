/** Workspaces that are on their way out: from when on they are refused, and when they are erased. */
import type { Migration } from '../ddl.ts'

export const workspaceLifeMigration: Migration = {
  number: 23,
  name: 'workspace-life',
  up: ({ integer }) => [
    `ALTER TABLE workspaces ADD COLUMN deletes_at ${integer}`,
    'CREATE INDEX workspaces_deleted ON workspaces (deletes_at) WHERE deletes_at IS NOT NULL',
    'CREATE INDEX members_of_user ON members (user_id)',
  ],
}
