/** Renders the reference page: a list of endpoints at the side, an introduction, then each endpoint. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Html, html } from '../../platform/text/html.ts'
import { bodyExample, curlOf, parameterExample, uploadParts } from './curl.ts'
import {
  type Endpoint,
  endpointsOf,
  exampleIn,
  type OpenApi,
  type Parameter,
  type Response,
  resolveSchema,
  type Schema,
} from './open-api.ts'

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

// One endpoint: description and parameters on the left; a call, its reply and a form to try the call on the right.

function endpointView(openApi: OpenApi, endpoint: Endpoint): Html {
  const { operationId, method, path, summary, description } = endpoint
  const body = Object.entries(endpoint.requestBody?.content ?? {})[0]
  return html`<article id="${operationId}">
  <div class="about">
    <h3><a href="#${operationId}">${summary}</a></h3>
    <p class="line"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
    ${markdown(description)}
    ${parameterGroup(openApi, 'Path', endpoint, 'path')}
    ${parameterGroup(openApi, 'Query', endpoint, 'query')}
    ${parameterGroup(openApi, 'Headers', endpoint, 'header')}
    ${body !== undefined && html`<h4>Body <small>${body[0]}</small></h4>${schemaView(openApi, body[1].schema)}`}
    <h4>Replies</h4>
    ${endpoint.responses.map(([status, response]) => replyView(openApi, status, response))}
  </div>
  <div class="samples">
    ${sample('Call', curlOf(openApi, endpoint))}
    ${exampleReply(openApi, endpoint)}
    ${tryForm(openApi, endpoint)}
  </div>
</article>`
}

function parameterGroup(openApi: OpenApi, title: string, endpoint: Endpoint, place: Parameter['in']) {
  const parameters = endpoint.parameters.filter(parameter => parameter.in === place)
  if (parameters.length === 0) return null
  return html`<h4>${title}</h4><ul class="fields">${parameters.map(
    ({ name, schema, required = false, description }) =>
      fieldView(openApi, withoutUndefined({ name, schema, required, description })),
  )}</ul>`
}

function replyView(openApi: OpenApi, status: string, response: Response): Html {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? []
  const isError = Number(status) >= 400
  const fields = media === undefined || isError ? null : schemaView(openApi, media.schema)
  return html`<details class="reply"><summary><b class="${isError ? 'bad' : 'good'}">${status}</b>
    ${isError ? errorCodes(response.description) : ''} <small>${type ?? ''}</small></summary>
    ${markdown(response.description)}${fields}</details>`
}

/** The codes that an error's description names, so that a reader sees them without unfolding it. */
const errorCodes = (description: string): string =>
  [...description.matchAll(/`([a-z_]+)`:/g)].map(([, code]) => code).join(', ')

function exampleReply(openApi: OpenApi, { responses }: Endpoint): Html | null {
  const found = responses.find(([status]) => Number(status) < 300)
  const [status, response] = found ?? []
  const json = response?.content?.['application/json']
  const example = json === undefined ? undefined : exampleIn(openApi, json)
  if (status === undefined || example === undefined) return null
  return sample(`Reply ${status}`, JSON.stringify(example, null, 2))
}

const sample = (title: string, text: string): Html => html`<figure>
  <figcaption>${title}<button type="button" data-copy>Copy</button></figcaption>
  <pre tabindex="0"><code>${text}</code></pre></figure>`

// A form that calls an endpoint from the page; `page.js` sends the call.

function tryForm(openApi: OpenApi, endpoint: Endpoint): Html {
  const { method, path, parameters } = endpoint
  const body = bodyExample(openApi, endpoint)
  return html`<details class="try"><summary>Try it</summary>
  <form data-method="${method}" data-path="${path}">
    ${parameters.filter(isOffered).map(parameterInput)}
    ${uploadParts(openApi, endpoint).map(part => uploadInput(part))}
    ${
      body !== undefined &&
      html`<label>Body<textarea name="body" data-place="body" rows="${Math.min(14, linesOf(body))}" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`
    }
    <button type="submit">Send</button>
  </form>
  <output aria-live="polite"></output>
</details>`
}

/** An idempotency key is for programs that repeat requests. Here each click is a separate request. */
const isOffered = ({ name }: Parameter): boolean => name !== 'Idempotency-Key'

function parameterInput(parameter: Parameter): Html {
  const { name, in: place, required = false } = parameter
  const example = parameterExample(parameter)
  const value = place === 'query' && required ? example : ''
  return html`<label>${name}<input name="${name}" data-place="${place}" value="${value}" placeholder="${example}"
    ${required && 'required'} autocomplete="off" spellcheck="false"></label>`
}

function uploadInput(part: { name: string; isFile: boolean; required: boolean; example: string }): Html {
  const { name, isFile, required, example } = part
  return isFile
    ? html`<label>${name}<input type="file" name="${name}" data-place="form" ${required && 'required'}></label>`
    : html`<label>${name}<input name="${name}" data-place="form" placeholder="${example}" ${required && 'required'} autocomplete="off"></label>`
}

const linesOf = (value: unknown): number => JSON.stringify(value, null, 2).split('\n').length + 1

// A JSON Schema as nested lists of fields: name, type, limits, description.

/** An object nested deeper is named, not unfolded. This also ends a schema that contains itself. */
const maxDepth = 5

function schemaView(openApi: OpenApi, schema: Schema, depth = 0): Html | null {
  const resolved = elementOf(openApi, schema)
  const required = new Set(resolved.required ?? [])
  const fields = Object.entries(resolved.properties ?? {})
  if (fields.length === 0 || depth > maxDepth) return null
  return html`<ul class="fields">${fields.map(([name, field]) =>
    fieldView(openApi, { name, schema: field, required: required.has(name) }, depth),
  )}</ul>`
}

function fieldView(
  openApi: OpenApi,
  field: { name: string; schema: Schema; required: boolean; description?: string },
  depth = 0,
): Html {
  const schema = resolveSchema(openApi, field.schema)
  const description = field.description ?? schema.description
  const children = schemaView(openApi, schema, depth + 1)
  return html`<li>
    <div class="field"><code class="name">${field.name}</code> <span class="type">${typeName(openApi, schema)}</span>
    ${field.required && html`<span class="required">required</span>`}</div>
    ${description !== undefined && html`<div class="text">${markdown(description)}</div>`}
    ${limitsOf(schema)}
    ${children !== null && html`<details><summary>Fields</summary>${children}</details>`}
  </li>`
}

/**
 * The object schema in a field: the field itself, the items of its list, or its only alternative that is not null.
 */
function elementOf(openApi: OpenApi, schema: Schema): Schema {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.items !== undefined) return elementOf(openApi, resolved.items)
  const objects = alternativesOf(resolved).filter(alternative => alternative.type !== 'null')
  return objects.length === 1 && objects[0] !== undefined ? elementOf(openApi, objects[0]) : resolved
}

const alternativesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? []

function typeName(openApi: OpenApi, schema: Schema): string {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.const !== undefined) return JSON.stringify(resolved.const)
  const alternatives = alternativesOf(resolved)
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map(alternative => typeName(openApi, alternative)))].join(' or ')
  }
  const types = [resolved.type ?? 'any'].flat().map(type => {
    if (type === 'array') return `list of ${typeName(openApi, resolved.items ?? {})}`
    return type === 'string' && resolved.format !== undefined ? `string (${resolved.format})` : type
  })
  return types.join(' or ')
}

const limitTexts: Record<string, (value: unknown) => string> = {
  minLength: value => `length from ${value}`,
  maxLength: value => `length up to ${value}`,
  minimum: value => `from ${value}`,
  maximum: value => `up to ${value}`,
  minItems: value => `items from ${value}`,
  maxItems: value => `items up to ${value}`,
  default: value => `default ${JSON.stringify(value)}`,
}

function limitsOf(schema: Schema): Html | null {
  const words = (schema.enum ?? schema.items?.enum)?.map(
    value => html`<code>${JSON.stringify(value)}</code> `,
  )
  const limits = Object.entries(limitTexts).flatMap(([keyword, text]) =>
    schema[keyword] === undefined ? [] : [text(schema[keyword])],
  )
  if (words === undefined && limits.length === 0) return null
  return html`<div class="limits">${words !== undefined && html`One of ${words}`}${limits.join(', ')}</div>`
}

/** The fields of a syntax node that are read here, for every kind of node. */
type Node = {
  type: string
  value?: string
  url?: string
  ordered?: boolean | null | undefined
  children?: Node[]
}

/** Turns a description's plain Markdown into HTML. Raw HTML in it stays text. */
function markdown(text: string): Html {
  const known = rendered.get(text)
  if (known !== undefined) return known
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const result = html`${tree.children.map(render)}`
  rendered.set(text, result)
  return result
}
/** The page repeats most descriptions with their schemas: five sixths of what it takes to render them. */
const rendered = new Map<string, Html>()

function render(node: Node): Html {
  const inner = (node.children ?? []).map(render)
  switch (node.type) {
    case 'paragraph':
      return html`<p>${inner}</p>`
    case 'heading':
      return html`<h4>${inner}</h4>`
    case 'list':
      return node.ordered ? html`<ol>${inner}</ol>` : html`<ul>${inner}</ul>`
    case 'listItem':
      return html`<li>${inner}</li>`
    case 'strong':
      return html`<strong>${inner}</strong>`
    case 'emphasis':
      return html`<em>${inner}</em>`
    case 'inlineCode':
      return html`<code>${node.value}</code>`
    case 'code':
      return html`<pre><code>${node.value}</code></pre>`
    case 'link':
      return /^(https?:|\/|#)/.test(node.url ?? '')
        ? html`<a href="${node.url}">${inner}</a>`
        : html`${inner}`
    case 'table':
      return html`<table>${inner}</table>`
    case 'tableRow':
      return html`<tr>${inner}</tr>`
    case 'tableCell':
      return html`<td>${inner}</td>`
    default:
      return html`${node.value}${inner}`
  }
}
