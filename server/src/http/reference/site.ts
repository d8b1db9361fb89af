/** Every file below `/docs`, each made when it is first asked for: pages, their Markdown, schemas, the search's index. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Html, html } from '../../platform/text/html.ts'
import { type FieldContext, schemaFragment } from './fields.ts'
import { type Guide, linkFrom, readGuides, servedText } from './guides.ts'
import { layout, markdownAddress, type Page } from './layout.ts'
import { createMarkdown, type MarkdownLinks, sectionsOf } from './markdown.ts'
import { type Group, groupsOf } from './model/groups.ts'
import type { OpenApi } from './model/open-api.ts'
import { groupAddress, groupPage, guidePage, startPage } from './pages.ts'
import { groupText, llmsText, startText } from './plain.ts'
import { searchIndex } from './search-index.ts'

export type SiteFile = { type: string; make: () => string }

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

/** The document that `npm run check` holds against the routes: to build it from them takes a third of a second. */
const openApiFile = join(import.meta.dirname, '../../../../openapi.json')

/** By address. Each file is made from openapi.json and the guides alone. */
export async function openSite(): Promise<ReadonlyMap<string, SiteFile>> {
  const [json, guides] = await Promise.all([readFile(openApiFile, 'utf8'), readGuides()])
  // `OpenApi` is the part of the document that is read here; the tests go through every operation.
  return siteOf(JSON.parse(json) as OpenApi, guides)
}

export function siteOf(openApi: OpenApi, guides: readonly Guide[]): ReadonlyMap<string, SiteFile> {
  const groups = groupsOf(openApi)
  const links = operationLinks(groups)
  const context: FieldContext = { openApi, describe: once(createMarkdown(links)) }
  const baseUrl = openApi.servers[0]?.url ?? ''
  const start: Page = {
    address: '/docs',
    title: 'API reference',
    chapter: 'Reference',
    note: '',
    parts: () => [],
  }
  const pages = [start, ...groups.map(pageOfGroup), ...guides.map(pageOfGuide)]
  const files = new Map<string, SiteFile>()
  const addPage = (address: string, content: () => Html, text: () => string) => {
    const page = pages.find(candidate => candidate.address === address) ?? start
    files.set(address, { type: types.html, make: () => layout(page, pages, baseUrl, content()) })
    files.set(markdownAddress(page), { type: types.markdown, make: text })
  }
  addPage(
    start.address,
    () => startPage(context, groups, guides),
    () => startText(openApi, pages),
  )
  for (const group of groups) {
    addPage(
      groupAddress(group),
      () => groupPage(context, group, guides),
      () => groupText(openApi, group),
    )
  }
  for (const guide of guides) {
    const render = () => createMarkdown({ ...links, linkTo: linkFrom(guide, guides) }, 'document')(guide.text)
    addPage(
      guide.address,
      () => guidePage(guide, render(), groups),
      () => servedText(guide, guides),
    )
  }
  for (const name of Object.keys(openApi.components.schemas)) {
    const make = () => (schemaFragment(context, name) ?? html`<p>It has no fields.</p>`).html
    files.set(`/docs/schemas/${name}`, { type: types.html, make })
  }
  const list: SiteFile = { type: types.text, make: () => llmsText(openApi, pages) }
  return files
    .set('/llms.txt', list)
    .set('/docs/llms.txt', list)
    .set('/docs/search.json', { type: types.json, make: () => searchIndex(openApi, groups, guides) })
}

const pageOfGroup = (group: Group): Page => ({
  address: groupAddress(group),
  title: group.title,
  chapter: 'Reference',
  note: group.endpoints.map(({ summary }) => summary).join(', '),
  parts: () =>
    group.endpoints.map(({ operationId, summary, method }) => ({ id: operationId, title: summary, method })),
})

const pageOfGuide = ({ address, title, chapter, text }: Guide): Page => ({
  address,
  title,
  chapter: chapter === '' ? 'Guides' : chapter,
  note: [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading).join(', '),
  parts: () =>
    sectionsOf(text)
      .filter(({ depth }) => depth === 2)
      .map(({ id, title }) => ({ id, title })),
})

/** Descriptions and guides name operations as `GET /runs/:id`, or with `{id}`. */
function operationLinks(groups: readonly Group[]): MarkdownLinks {
  const normal = (method: string, path: string) => `${method} ${path.replaceAll(/\{\w+\}|:\w+/g, ':')}`
  const addresses = new Map(
    groups.flatMap(group =>
      group.endpoints.map(({ method, path, operationId }) => [
        normal(method, path),
        `${groupAddress(group)}#${operationId}`,
      ]),
    ),
  )
  return {
    linkTo: address => address,
    operationAt: (method, path) => addresses.get(normal(method, path)),
  }
}

/** The pages repeat many descriptions with their schemas. */
function once(render: (text: string) => Html): (text: string) => Html {
  const rendered = new Map<string, Html>()
  return text => {
    const known = rendered.get(text) ?? render(text)
    rendered.set(text, known)
    return known
  }
}
