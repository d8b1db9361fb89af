/** What the Notion peer holds: pages with blocks, databases with data sources, and the people who wrote them. */
import { randomUUID } from 'node:crypto'

export type StoredBlock = {
  id: string
  type: string
  content: Record<string, unknown>
  children: StoredBlock[]
}

export type StoredPage = {
  id: string
  title: string
  properties: Record<string, Record<string, unknown>>
  parent: Record<string, unknown>
  createdTime: string
  editedTime: string
  inTrash: boolean
  publicUrl: string | null
  createdBy: string
  blocks: StoredBlock[]
  /** The search has not heard of it. */
  isUnindexed: boolean
}

export type NewPage = {
  title: string
  blocks?: StoredBlock[]
  parent?: string
  properties?: StoredPage['properties']
  isUnindexed?: boolean
}

/** A block with its own field as Notion has it; `text` stands for its rich text. */
export function block(
  type: string,
  text: string | null = null,
  content: Record<string, unknown> = {},
  children: StoredBlock[] = [],
): StoredBlock {
  const rich = text === null ? {} : { rich_text: [richText(text)] }
  return { id: randomUUID(), type, content: { ...rich, color: 'default', ...content }, children }
}

/** https://developers.notion.com/reference/rich-text */
export const richText = (
  content: string,
  annotations: Record<string, boolean> = {},
  href: string | null = null,
) => ({
  type: 'text',
  text: { content, link: href === null ? null : { url: href } },
  annotations: {
    bold: false,
    italic: false,
    strikethrough: false,
    underline: false,
    code: false,
    color: 'default',
    ...annotations,
  },
  plain_text: content,
  href,
})

export type NotionStore = ReturnType<typeof createNotionStore>

export function createNotionStore(now: () => number) {
  const pages = new Map<string, StoredPage>()
  /** The data sources of each database. */
  const databases = new Map<string, { title: string; dataSources: string[] }>()
  const users = new Map([['c2f20311-9e54-4d11-8c79-7398424ae41e', 'Ada Lovelace']])
  const [ada = ''] = users.keys()
  const minute = () => new Date(Math.floor(now() / 60_000) * 60_000).toISOString()

  const put = ({ title, blocks = [], parent, properties = {}, isUnindexed = false }: NewPage): string => {
    const id = randomUUID()
    const above = parent === undefined ? { type: 'workspace', workspace: true } : parentOf(parent)
    pages.set(id, {
      id,
      title,
      properties,
      blocks,
      isUnindexed,
      parent: above,
      createdTime: minute(),
      editedTime: minute(),
      inTrash: false,
      publicUrl: null,
      createdBy: ada,
    })
    return id
  }
  const parentOf = (id: string): Record<string, unknown> => {
    for (const [databaseId, { dataSources }] of databases) {
      if (!dataSources.includes(id)) continue
      return { type: 'data_source_id', data_source_id: id, database_id: databaseId }
    }
    return { type: 'page_id', page_id: id }
  }
  const find = (id: string): StoredPage => {
    const page = pages.get(id)
    if (page === undefined) throw new Error(`The peer has no page ${id}`)
    return page
  }

  return {
    pages,
    databases,
    users,
    put,
    /** Returns the id of the database and of its first data source, to which rows are added as to a parent. */
    putDatabase(title: string, dataSources = 1): { id: string; dataSources: string[] } {
      const database = { title, dataSources: Array.from({ length: dataSources }, () => randomUUID()) }
      const id = randomUUID()
      databases.set(id, database)
      return { id, dataSources: database.dataSources }
    },
    edit(id: string, change: Partial<Pick<StoredPage, 'title' | 'blocks' | 'properties' | 'inTrash'>>): void {
      Object.assign(find(id), change, { editedTime: minute() })
    },
    /** Notion does not count this as an edit. */
    publish(id: string): void {
      find(id).publicUrl = `https://ada.notion.site/${id.replaceAll('-', '')}`
    },
    /** The connection is not given the page any more. */
    takeBack(id: string): void {
      pages.delete(id)
    },
  }
}
