/** Settings of a connection to Notion. */
import type { ObjectSchema } from '../connector.ts'
import { idList } from '../schemas.ts'

export type NotionConfig = { databaseIds: string[] }

export const idPattern = '^[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$'

export const configSchema: ObjectSchema = {
  type: 'object',
  properties: {
    databaseIds: idList(
      idPattern,
      'Ids of databases, as their addresses show them: only their rows are synced, and nothing else can be read. None: all pages and rows that the connection was given in Notion.',
      '248104cd477e80fdb757e945d38000bd',
    ),
  },
  additionalProperties: false,
}

/** Ids with and without hyphens mean the same. */
export const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase()
