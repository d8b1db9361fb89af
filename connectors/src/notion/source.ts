/** Pages and rows of databases, each as a document in Markdown. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Content, Source } from '../connector.ts'
import type { Http } from '../http.ts'
import { readBlocks } from './blocks.ts'
import { listPages } from './listing.ts'
import { findPage, findUser, type Page } from './notion-api.ts'
import { fieldsOf, propertyLines, titleOf } from './properties.ts'
import { type NotionConfig, plainId } from './settings.ts'

export const source: Source<NotionConfig> = {
  // Notion's search may lack pages that exist.
  removals: 'asked',
  list: listPages,
  fetch: async ({ http, config }, { id }) => {
    const page = await findPage(http, id)
    return page === null || isGone(page) || !isChosen(config, page) ? null : contentOf(http, page)
  },
}

/** Other databases may have been chosen since the page was listed. */
function isChosen({ databaseIds }: NotionConfig, { parent }: Page): boolean {
  if (databaseIds.length === 0) return true
  return databaseIds.some(
    id => parent.database_id !== undefined && plainId(id) === plainId(parent.database_id),
  )
}

export const isGone = (page: Page): boolean => page.in_trash === true || page.archived === true

async function contentOf(http: Http, page: Page): Promise<Content> {
  const title = titleOf(page)
  const { markdown, isCut } = await pageMarkdown(http, page)
  const author = await authorOf(http, page)
  return {
    body: markdown,
    fileName: `${title.replace(/[\\/\p{Cc}]/gu, '-').slice(0, 150)}.md`,
    mediaType: 'text/markdown',
    title,
    metadata: withoutUndefined({
      ...fieldsOf(page),
      url: page.url,
      author: author ?? undefined,
      createdAt: page.created_time,
      updatedAt: page.last_edited_time,
      // The API does not tell who else may read the page.
      readers: page.public_url ? ['everyone'] : undefined,
      isCut: isCut || undefined,
    }),
  }
}

export async function pageMarkdown(http: Http, page: Page): Promise<{ markdown: string; isCut: boolean }> {
  const { markdown, isCut } = await readBlocks(http, page.id)
  const parts = [`# ${titleOf(page)}`, propertyLines(page).join('\n'), markdown]
  return { markdown: `${parts.filter(part => part !== '').join('\n\n')}\n`, isCut }
}

/** Names of people by their ids, kept while the connection is in use. Most pages have few authors. */
const namesByHttp = new WeakMap<Http, Map<string, Promise<string | null>>>()

function authorOf(http: Http, { created_by: person }: Page): Promise<string | null> {
  if (person === undefined) return Promise.resolve(null)
  if (person.name) return Promise.resolve(person.name)
  const names = namesByHttp.get(http) ?? new Map<string, Promise<string | null>>()
  namesByHttp.set(http, names)
  const known = names.get(person.id)
  if (known !== undefined) return known
  const name = findUser(http, person.id).then(user => user?.name ?? null)
  names.set(person.id, name)
  // The next page asks again.
  name.catch(() => names.delete(person.id))
  return name
}
