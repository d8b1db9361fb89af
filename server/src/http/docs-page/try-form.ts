/** A form by which an endpoint is called from the page; `page.js` sends it. */

import { type Html, html } from '../../platform/text/html.ts'
import { bodyExample, parameterExample, uploadParts } from './curl.ts'
import type { Endpoint, OpenApi, Parameter } from './open-api.ts'

export function tryForm(openApi: OpenApi, endpoint: Endpoint): Html {
  const { method, path, parameters = [] } = endpoint
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

/** An idempotency key is for programs that repeat; here each click is a request of its own. */
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
