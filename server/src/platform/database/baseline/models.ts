/** Model providers that a workspace has configured. */
import type { Ddl } from '../ddl.ts'

export const modelsSchema = ({ id, text, json, integer }: Ddl): string[] => [
  `CREATE TABLE model_providers (
    id ${id} PRIMARY KEY,
    workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name ${id} NOT NULL,
    kind ${id} NOT NULL,
    base_url ${text},
    api_key ${text},
    api_key_ending ${text},
    models ${json} NOT NULL,
    created_by ${id},
    created_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    revision ${integer} NOT NULL
  )`,
  'CREATE UNIQUE INDEX model_providers_name ON model_providers (workspace_id, name)',
  'CREATE INDEX model_providers_list ON model_providers (workspace_id, id)',
]
