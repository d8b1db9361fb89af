/** The whole reference page: a list of endpoints at the side, an introduction, then each endpoint. */

import { type Html, html } from '../../platform/text/html.ts'
import { endpointView } from './endpoint-view.ts'
import { markdown } from './markdown.ts'
import { type Endpoint, endpointsOf, type OpenApi } from './open-api.ts'
import { schemaView } from './schema-view.ts'

export function renderPage(openApi: OpenApi): string {
  const { title, version, description = '' } = openApi.info
  const endpoints = endpointsOf(openApi)
  const groups = openApi.tags
    .map(tag => ({ ...tag, endpoints: endpoints.filter(endpoint => endpoint.tags[0] === tag.name) }))
    .filter(group => group.endpoints.length > 0)
  const baseUrl = openApi.servers[0]?.url ?? ''
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/page.css">
<script type="module" src="/docs/page.js"></script>
</head>
<body data-base="${baseUrl}">
<a class="skip" href="#introduction">Skip to the content</a>
<nav aria-label="Endpoints">
  <a class="brand" href="#introduction">${title}</a>
  <input id="find" type="search" placeholder="Find an endpoint" aria-label="Find an endpoint" autocomplete="off">
  ${groups.map(group => groupLinks(group.name, group.endpoints))}
</nav>
<main>
  <section id="introduction">
    <h1>${title} <small>${version}</small></h1>
    ${markdown(description)}
    <p>Base address: <code data-origin>${baseUrl}</code>, which the calls below name <code>$ATRIUM</code>; the key is their <code>$KEY</code>. The same document for machines: <a href="${baseUrl}/openapi.json">openapi.json</a>.</p>
    <label class="key">API key for trying calls on this page, kept in this tab only
      <input id="key" type="password" placeholder="sk_test_…" autocomplete="off" spellcheck="false">
    </label>
  </section>
  ${errorSection(openApi)}
  ${groups.map(
    group => html`<section class="group">
    <h2 id="tag-${group.name}">${capital(group.name)}</h2>${markdown(group.description ?? '')}
    ${group.endpoints.map(endpoint => endpointView(openApi, endpoint))}
  </section>`,
  )}
</main>
</body>
</html>
`
  return page.html
}

const groupLinks = (name: string, endpoints: readonly Endpoint[]): Html => html`<div class="links">
  <a class="tag" href="#tag-${name}">${capital(name)}</a>
  <ul>${endpoints.map(
    ({ operationId, method, path, summary }) =>
      html`<li><a href="#${operationId}" title="${method} ${path}"><span>${summary}</span>
      <b class="method ${method.toLowerCase()}">${method}</b></a></li>`,
  )}</ul>
</div>`

function errorSection(openApi: OpenApi): Html | null {
  const schema = openApi.components.schemas.Error
  if (schema === undefined) return null
  return html`<section id="errors"><h2>Errors</h2>
    <p>Every error, from whatever layer, has this shape.</p>${schemaView(openApi, schema)}</section>`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
