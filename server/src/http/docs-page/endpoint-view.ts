/** One endpoint: what it does and takes on the left, a call and its reply on the right, and a form to try it. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Html, html } from '../../platform/text/html.ts'
import { curlOf } from './curl.ts'
import { markdown } from './markdown.ts'
import type { Endpoint, OpenApi, Parameter, Response } from './open-api.ts'
import { fieldView, schemaView } from './schema-view.ts'
import { tryForm } from './try-form.ts'

export function endpointView(openApi: OpenApi, endpoint: Endpoint): Html {
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
    ${exampleReply(endpoint)}
    ${tryForm(openApi, endpoint)}
  </div>
</article>`
}

function parameterGroup(
  openApi: OpenApi,
  title: string,
  endpoint: Endpoint,
  place: Parameter['in'],
): Html | null {
  const parameters = (endpoint.parameters ?? []).filter(parameter => parameter.in === place)
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

/** The codes that an error's description names, to be seen without unfolding it. */
const errorCodes = (description: string): string =>
  [...description.matchAll(/`([a-z_]+)`:/g)].map(([, code]) => code).join(', ')

function exampleReply({ responses }: Endpoint): Html | null {
  const found = responses.find(([status]) => Number(status) < 300)
  const [status, response] = found ?? []
  const example = response?.content?.['application/json']?.example
  if (status === undefined || example === undefined) return null
  return sample(`Reply ${status}`, JSON.stringify(example, null, 2))
}

const sample = (title: string, text: string): Html => html`<figure>
  <figcaption>${title}<button type="button" data-copy>Copy</button></figcaption>
  <pre tabindex="0"><code>${text}</code></pre></figure>`
