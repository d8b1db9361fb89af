/** An operation on its page: its fields and replies; samples in three languages; a form that calls it from the page. */
import { type Html, html } from '../../platform/text/html.ts'
import { bodyFields, type FieldContext, fieldsOf, parameterList } from './fields.ts'
import {
  codesOf,
  type Endpoint,
  exampleIn,
  type OpenApi,
  type Parameter,
  type Response,
} from './model/open-api.ts'
import { bodyExample, callOf, parameterExample, uploadParts } from './samples/call.ts'
import { samplesOf } from './samples/samples.ts'
import { withVariables } from './samples/variables.ts'

export function operationView(context: FieldContext, endpoint: Endpoint): Html {
  const { openApi } = context
  return html`<article id="${endpoint.operationId}" aria-labelledby="${endpoint.operationId}-title">
  <div class="about">${heading(endpoint)}${context.describe(endpoint.description)}
    ${parameterGroup(context, 'Path', endpoint, 'path')}
    ${parameterGroup(context, 'Query', endpoint, 'query')}
    ${parameterGroup(context, 'Headers', endpoint, 'header')}
    ${bodies(context, endpoint)}
    <h3>Replies</h3>
    ${endpoint.responses.filter(isSuccess).map(([status, response]) => replyView(context, status, response))}
    ${errorsView(
      context,
      endpoint.responses.filter(reply => !isSuccess(reply)),
    )}
  </div>
  <div class="samples">
    ${samplesView(openApi, endpoint)}
    ${exampleReply(openApi, endpoint)}
    ${tryForm(openApi, endpoint)}
  </div>
</article>`
}

/** An event that the server sends. */
export function eventView(context: FieldContext, endpoint: Endpoint): Html {
  const json = endpoint.requestBody?.content['application/json']
  const example = json === undefined ? undefined : exampleIn(context.openApi, json)
  return html`<article id="${endpoint.operationId}" aria-labelledby="${endpoint.operationId}-title">
  <div class="about">${heading(endpoint)}${context.describe(endpoint.description)}
    <details><summary>Headers</summary>${parameterList(context, endpoint, 'header')}</details>
    ${Object.values(endpoint.requestBody?.content ?? {}).map(({ schema }) =>
      foldedBody('Body', bodyFields(context, schema)),
    )}
    <h3>Your reply</h3>
    ${endpoint.responses.map(([status, response]) => replyView(context, status, response))}
  </div>
  <div class="samples">${example !== undefined && sample('Body', JSON.stringify(example, null, 2))}</div>
</article>`
}

const isSuccess = ([status]: [string, Response]): boolean => Number(status.charAt(0)) < 4

function heading({ operationId, method, path, summary, deprecated }: Endpoint): Html {
  return html`<h2 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h2>
    <p class="line"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code>
    ${deprecated && html`<span class="required">deprecated</span>`} <code class="id">${operationId}</code></p>`
}

function parameterGroup(context: FieldContext, title: string, endpoint: Endpoint, place: Parameter['in']) {
  const list = parameterList(context, endpoint, place)
  return list && html`<h3>${title}</h3>${list}`
}

/** The fields of the first media type are shown, those of the others on demand. */
function bodies(context: FieldContext, { requestBody }: Endpoint): Html[] {
  return Object.entries(requestBody?.content ?? {}).map(([type, { schema }], index) => {
    const { name } = bodyFields(context, schema)
    return index > 0 && name !== undefined
      ? html`<details data-schema="${name}"><summary>Or as ${type}</summary></details>`
      : html`<h3>Body <small>${type}</small></h3>${fieldsOf(context, schema)}`
  })
}

function replyView(context: FieldContext, status: string, { description, content = {} }: Response): Html {
  const types = Object.entries(content)
  const views = types.map(([type, { schema }]) => ({ type, ...bodyFields(context, schema) }))
  return html`<div class="reply"><b class="good">${status}</b> <small>${types.map(([type]) => type).join(', ')}</small>
    ${context.describe(description)}
    ${views.map(view => foldedBody(views.length > 1 ? `Fields of ${view.type}` : 'Fields', view))}</div>`
}

/** The fields of a component are loaded when they are unfolded; others are there. */
const foldedBody = (title: string, { name, fields }: ReturnType<typeof bodyFields>): Html | null =>
  name === undefined ? fields : html`<details data-schema="${name}"><summary>${title}</summary></details>`

/** The codes can be seen without unfolding; each leads to the list of all codes. */
function errorsView({ describe }: FieldContext, replies: Endpoint['responses']): Html | null {
  if (replies.length === 0) return null
  return html`<details class="reply"><summary><b class="bad">Errors</b> <small>${replies.map(([status]) => status).join(', ')}</small></summary>
    <dl>${replies.map(
      ([status, response]) =>
        html`<dt><b class="bad">${status}</b> ${codesOf(response).map(
          code => html`<a href="/docs/guides/error-codes#${code}"><code>${code}</code></a> `,
        )}</dt><dd>${codesOf(response).length === 0 && describe(response.description)}</dd>`,
    )}</dl></details>`
}

function samplesView(openApi: OpenApi, endpoint: Endpoint): Html {
  const samples = samplesOf(callOf(openApi, endpoint))
  return html`<figure class="languages">
  <figcaption><span class="switch" role="group" aria-label="Language">${samples.map(
    ({ language, label }, index) =>
      html`<button type="button" data-language="${language}" aria-pressed="${String(index === 0)}">${label}</button>`,
  )}</span><button type="button" data-copy>Copy</button></figcaption>
  ${samples.map(
    ({ language, text }) =>
      html`<pre tabindex="0" data-language="${language}"><code>${withVariables(text)}</code></pre>`,
  )}</figure>`
}

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

// A form that calls an operation from the page; `page.js` sends the call.

function tryForm(openApi: OpenApi, endpoint: Endpoint): Html {
  const { operationId, method, path, parameters } = endpoint
  const body = bodyExample(openApi, endpoint)
  const parts = uploadParts(openApi, endpoint)
  return html`<details class="try"><summary>Try it</summary>
  <form data-method="${method}" data-path="${path}" aria-label="Try ${operationId}">
    ${parameters.filter(isOffered).map(parameterInput)}
    ${parts.map(uploadInput)}
    ${
      body !== undefined &&
      parts.length === 0 &&
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
