/** What surrounds each page of the reference: head, search, the field for the key, and the menu of all pages. */
import { type Html, html } from '../../platform/text/html.ts'

export type Page = {
  address: string
  title: string
  /** The menu's heading that it stands under. */
  chapter: string
  /** What is on it, in a few words, for the lists of pages. */
  note: string
  /** Its parts, which the menu lists on the page itself. To find those of a guide, the guide is parsed. */
  parts: () => { id: string; title: string; method?: string }[]
}

export function layout(page: Page, all: readonly Page[], baseUrl: string, content: Html): string {
  return html`<!doctype html>
<html lang="en" data-language="curl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Atrium</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${markdownAddress(page)}">
<link rel="stylesheet" href="/docs/page.css">
<script type="module" src="/docs/page.js"></script>
</head>
<body data-base="${baseUrl}">
<a class="skip" href="#content">Skip to the content</a>
<header>
  <a class="brand" href="/docs">Atrium</a>
  <button type="button" id="menu-button" aria-expanded="false" aria-controls="menu">Menu</button>
  <search>
    <input id="find" type="search" placeholder="Search ( / )" aria-label="Search reference and guides" autocomplete="off"
      spellcheck="false" maxlength="200">
    <div id="found" hidden><p role="status"></p><ol></ol></div>
  </search>
  <label class="key">API key <input id="key" type="password" placeholder="sk_test_…" autocomplete="off" spellcheck="false"
    aria-describedby="key-note"></label>
  <span id="key-note" role="status">stays in this tab</span>
</header>
<nav id="menu" aria-label="Pages">${chaptersOf(all).map(
    ([chapter, pages]) =>
      html`<p>${chapter}</p><ul>${pages.map(
        other =>
          html`<li><a href="${other.address}" ${other === page && html`aria-current="page"`}>${other.title}</a>${
            other === page && partList(page)
          }</li>`,
      )}</ul>`,
  )}</nav>
<main id="content" tabindex="-1">
${content}
<footer>This page as <a href="${markdownAddress(page)}">Markdown</a> · all pages: <a href="/docs/llms.txt">llms.txt</a> · <a href="${baseUrl}/openapi.json">openapi.json</a></footer>
</main>
</body>
</html>
`.html
}

/** Each page is served as Markdown too. */
export const markdownAddress = ({ address }: Pick<Page, 'address'>): string =>
  address === '/docs' ? '/docs/index.md' : `${address}.md`

export const chaptersOf = (pages: readonly Page[]): [string, Page[]][] => [
  ...Map.groupBy(pages, ({ chapter }) => chapter),
]

function partList(page: Page): Html | false {
  const parts = page.parts()
  if (parts.length === 0) return false
  return html`<ul>${parts.map(
    ({ id, title, method }) =>
      html`<li><a href="#${id}">${title}${method !== undefined && html` <b class="method ${method.toLowerCase()}">${method}</b>`}</a></li>`,
  )}</ul>`
}
