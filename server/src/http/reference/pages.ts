/** The contents of the pages: the start page, one for each group of operations, one for each guide. */
import { type Html, html } from '../../platform/text/html.ts'
import { type FieldContext, fieldsOf } from './fields.ts'
import type { Guide } from './guides.ts'
import type { Group } from './model/groups.ts'
import { eventView, operationView } from './operations.ts'

export const groupAddress = ({ name }: Pick<Group, 'name'>): string => `/docs/${name}`

/**
 * Lists every operation under the ids that the reference had as one page, so that older links lead on from here;
 * `page.js` follows them.
 */
export function startPage(context: FieldContext, groups: readonly Group[], guides: readonly Guide[]): Html {
  const { title, version, description = '' } = context.openApi.info
  const errors = context.openApi.components.schemas.Error
  const tags = new Set<string | null>()
  return html`<section id="introduction">
    <h1>${title} <small>${version}</small></h1>
    ${context.describe(description)}
    <p>The samples name the base address <code>$ATRIUM</code> and your key <code>$KEY</code>. Paste a key above and both are filled in. It stays in this tab.</p>
    <figure><figcaption>Set both once<button type="button" data-copy>Copy</button></figcaption>
    <pre tabindex="0"><code>export ATRIUM=<var data-base>${context.openApi.servers[0]?.url}</var>
export KEY=<var data-fill="key" data-quote="">sk_test_…</var></code></pre></figure>
    <p>New here? Begin with the <a href="/docs/guides/quick-start">quick start</a>. All <a href="/docs/guides">guides</a> are served here too.</p>
  </section>
  <div class="cards">${groups.map(group => {
    const id = tags.has(group.tag) || group.tag === null ? group.name : `tag-${group.tag}`
    tags.add(group.tag)
    return html`<section id="${id}"><h2><a href="${groupAddress(group)}">${group.title}</a></h2>
    <ul>${group.endpoints.map(
      ({
        operationId,
        summary,
        method,
      }) => html`<li><a id="${operationId}" href="${groupAddress(group)}#${operationId}">
      <span>${summary}</span> <b class="method ${method.toLowerCase()}">${method}</b></a></li>`,
    )}</ul></section>`
  })}</div>
  ${guides.length > 0 && guideCards(guides)}
  ${
    errors !== undefined &&
    html`<section id="errors"><h2>Errors</h2>
    <p>Every error, from whatever layer, has this shape. All values of <code>code</code>: <a href="/docs/guides/error-codes">error codes</a>.</p>
    ${fieldsOf(context, errors)}</section>`
  }`
}

const guideCards = (guides: readonly Guide[]): Html => html`<section id="guides"><h2>Guides</h2>
  <ul class="guides">${guides.map(({ address, title }) => html`<li><a href="${address}">${title}</a></li>`)}</ul></section>`

export function groupPage(context: FieldContext, group: Group, guides: readonly Guide[]): Html {
  const related = guides.filter(({ address }) =>
    group.guides.some(name => address === `/docs/guides/${name}`),
  )
  const view = group.tag === null ? eventView : operationView
  return html`<h1>${group.title}</h1>
  ${group.description !== '' && html`<p>${group.description}</p>`}
  ${
    related.length > 0 &&
    html`<p class="related">Guides: ${related.map(
      ({ address, title }, index) => html`${index > 0 && ', '}<a href="${address}">${title}</a>`,
    )}</p>`
  }
  ${group.endpoints.map(endpoint => view(context, endpoint))}`
}

/** The operations that the guide is about come first. */
export function guidePage(guide: Guide, content: Html, groups: readonly Group[]): Html {
  const related = groups.filter(({ guides }) => guides.some(name => guide.address === `/docs/guides/${name}`))
  return html`<div class="guide">${content}
  ${
    related.length > 0 &&
    html`<p class="related">Reference: ${related.map(
      (group, index) => html`${index > 0 && ', '}<a href="${groupAddress(group)}">${group.title}</a>`,
    )}</p>`
  }</div>`
}
