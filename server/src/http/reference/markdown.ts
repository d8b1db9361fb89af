/** Markdown as HTML, for descriptions and guides. Markup in it stays text, and links lead where the reference says. */
import { Marked, Renderer, type Tokens } from 'marked'
import { escapeHtml, type Html } from '../../platform/text/html.ts'
import { withVariables } from './samples/variables.ts'

export type MarkdownLinks = {
  /** Where a link leads: an address of http or of this server, or null for a place that this server does not serve. */
  linkTo: (address: string) => string | null
  /** The address of an operation, written as `GET /runs/:id`; undefined if there is none. */
  operationAt: (method: string, path: string) => string | undefined
}

/** The renderer of one document. A description has no ids, and its headings are below those of its page. */
export function createMarkdown(
  { linkTo, operationAt }: MarkdownLinks,
  kind: 'document' | 'description' = 'description',
): (text: string) => Html {
  const idOf = idMaker()
  const ids = new Set<string>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens)
        if (kind === 'description') return `<h4>${inner}</h4>`
        const id = escapeHtml(idOf(plainText(text)))
        return `<h${depth} id="${id}">${inner}</h${depth}>`
      },
      // A comment is for those who read the source.
      html: ({ text }) => (/^\s*<!--.*-->\s*$/s.test(text) ? '' : escapeHtml(text)),
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const address = linkTo(href)
        if (address !== null && /^(https?:|[/#])/.test(address))
          return `<a href="${escapeHtml(address)}">${inner}</a>`
        return /^\.\.?\//.test(href)
          ? `${inner} (<code>${escapeHtml(href.replace(/^[./]+/, ''))}</code>)`
          : inner
      },
      image: ({ text }) => escapeHtml(text),
      code: ({ text }) => `<pre tabindex="0"><code>${withVariables(text).html}</code></pre>`,
      codespan({ text }) {
        const code = `<code>${escapeHtml(text)}</code>`
        const [, method = '', path = ''] = /^([A-Z]+) (\/\S*)$/.exec(text) ?? []
        const address = operationAt(method, path)
        return address === undefined ? code : `<a href="${escapeHtml(address)}">${code}</a>`
      },
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens)
        return 'escaped' in token && token.escaped
          ? token.text
          : escapeHtml(token.text).replaceAll(
              /\b(GET|POST|PUT|PATCH|DELETE) (\/[\w/:{}-]+)/g,
              (whole, method: string, path: string) => {
                const address = operationAt(method, path)
                return address === undefined ? whole : `<a href="${escapeHtml(address)}">${whole}</a>`
              },
            )
      },
      listitem(item) {
        const code = kind === 'document' ? leadingCode(item) : undefined
        if (code === undefined || ids.has(code)) return Renderer.prototype.listitem.call(this, item)
        ids.add(code)
        return Renderer.prototype.listitem.call(this, item).replace('<li', `<li id="${escapeHtml(code)}"`)
      },
      // A wide table scrolls; the page does not.
      table(token) {
        return `<div class="scroll" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>`
      },
      // A head without words is no head for those who hear the page.
      tablecell(cell) {
        return Renderer.prototype.tablecell.call(this, { ...cell, header: cell.header && cell.text !== '' })
      },
    },
  })
  return text => ({ html: marked.parse(text, { async: false }) })
}

/** The code that an item of a list explains, as in the lists of error codes and settings. */
function leadingCode({ text }: Tokens.ListItem): string | undefined {
  return /^`([A-Za-z][\w.]*)`/.exec(text)?.[1]
}

/** Headings with the ids that they have in the HTML, and what stands under them. */
export type Section = { depth: number; title: string; id: string; text: string; terms: Term[] }

/** An item of a list that explains a code, such as an error code or a setting. */
export type Term = { code: string; text: string }

/** Read line by line: a parser would take as long for all guides as for all else that the search looks through. */
export function sectionsOf(text: string): Section[] {
  const idOf = idMaker()
  const sections: (Section & { lines: string[] })[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode
    const [, marks, heading = ''] = /^(#{1,6}) (.+)$/.exec(isCode ? '' : line) ?? []
    if (marks === undefined) {
      sections.at(-1)?.lines.push(line)
    } else {
      const title = plainText(heading)
      sections.push({ depth: marks.length, title, id: idOf(title), text: '', terms: [], lines: [] })
    }
  }
  return sections.map(({ lines, ...section }) => {
    const source = lines.join('\n')
    const terms = [...source.matchAll(/^- (`([A-Za-z][\w.]*)`.*(?:\n {2}.*)*)/gm)].map(
      ([, item = '', code = '']) => ({
        code,
        text: plainText(item)
          .slice(code.length)
          .replace(/^ ?[:,]? ?/, ''),
      }),
    )
    return { ...section, text: plainText(source), terms }
  })
}

/** The words of a Markdown text, for a search. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^ *(```.*|\|[-| ]+\||<!--.*-->) *$/gm, ' ')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\||^#+ /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The id that GitHub gives to a heading, so that the links of guides work here too. */
export const idMaker = (): ((title: string) => string) => {
  const used = new Map<string, number>()
  return title => {
    const id = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = used.get(id) ?? 0
    used.set(id, count + 1)
    return count === 0 ? id : `${id}-${count}`
  }
}
