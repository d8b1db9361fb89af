/** The guides of the repository's `docs` folder, as they are served beside the reference. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plainText } from './markdown.ts'

export type Guide = {
  /** The page's address, such as `/docs/guides/runs`. */
  address: string
  title: string
  /** The menu's heading that it stands under. */
  chapter: string
  /** Markdown, whose links lead to other files of the repository. */
  text: string
}

const docs = join(import.meta.dirname, '../../../../docs')
const folder = 'guides'
const listName = 'README.md'

/** In the order in which the list of guides names them; that list and the contract are among them. */
export async function readGuides(): Promise<Guide[]> {
  const names = (await readdir(join(docs, folder))).filter(name => name.endsWith('.md'))
  const files = ['contract.md', ...names.map(name => `${folder}/${name}`)]
  const texts = await Promise.all(files.map(file => readFile(join(docs, file), 'utf8')))
  const list = texts[files.indexOf(`${folder}/${listName}`)] ?? ''
  const order = orderOf(list)
  const guides = files.map((file, index): Guide & { place: number } => {
    const text = texts[index] ?? ''
    const place = order.findIndex(({ name }) => `${folder}/${name}` === file)
    const [, title = file] = /^# (.+)$/m.exec(text) ?? []
    return {
      address: addressOf(file),
      title: plainText(title),
      chapter: order[place]?.chapter ?? '',
      text,
      // The list itself is first, then what it begins with.
      place: file.endsWith(listName) ? -1 : place < 0 ? order.length : place,
    }
  })
  return guides.sort((a, b) => a.place - b.place)
}

const addressOf = (file: string): string => `/docs/${file.replace(/(\/README)?\.md$/, '')}`

/** Each guide's name with the bold line that it is listed under. */
function orderOf(list: string): { name: string; chapter: string }[] {
  let chapter = ''
  return [...list.matchAll(/^\*\*(.+)\*\*$|\]\(([\w-]+\.md)/gm)].flatMap(([, heading, name]) => {
    chapter = heading ?? chapter
    return name === undefined ? [] : [{ name, chapter }]
  })
}

/**
 * Where a link of a file of `docs` leads on this server: pages for Markdown files that are served, null for other files.
 */
export function linkFrom(guide: Guide, guides: readonly Guide[]): (link: string) => string | null {
  const file = guide.address === '/docs/guides' ? '/docs/guides/README' : guide.address
  return link => {
    if (/^(https?:|#)/.test(link)) return link
    const { pathname, hash } = new URL(link, `http://docs.invalid${file}`)
    const address = pathname.replace(/(\/README)?\.md$/, '')
    return guides.some(other => other.address === address) ? address + hash : null
  }
}

/** The guide as Markdown whose links lead to Markdown that this server serves. */
export function servedText(guide: Guide, guides: readonly Guide[]): string {
  const linkTo = linkFrom(guide, guides)
  return guide.text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text: string, link: string) => {
    const [address, hash] = linkTo(link)?.split('#') ?? []
    if (address === undefined) return text
    if (!address.startsWith('/docs')) return `[${text}](${link})`
    return `[${text}](${address}.md${hash === undefined ? '' : `#${hash}`})`
  })
}
