/**
 * The fetch of one model: requests leave out what its server has refused before. A field that the server refuses now is
 * left out, and the server is asked once more within the same call; what helped is remembered.
 */
import { isFields } from '@atrium/connectors/fields'
import { jsonIn } from '@atrium/connectors/gate'
import { modelTextLimits } from '../../text/model-text.ts'
import { statusOf } from '../failures/failure-code.ts'
import { isErrorBody, noWords, wordsInBody, wordsInValue } from '../failures/server-words.ts'
import { withoutKey } from '../providers.ts'
import { refusedField, triedKey } from './refused-field.ts'
import { type Attempt, type Body, type Change, otherSwitch, switches } from './switches.ts'
import { ofTool, withoutKeywordOf } from './tool-switches.ts'

/** What is known of one model of one provider. */
export type ModelProfile = {
  /** The fields that the model's server does not take, with what stands in their place. */
  changes(): Promise<readonly Change[]>
  learn(change: Change, because: string): void
}

/** Each refusal costs one more request. A server that refuses so many fields is not asked on. */
const mostChanges = 6
/** If the server does not name the field, so many are left out one by one. */
const mostGuesses = 5

type Fetch = typeof globalThis.fetch

export function learningFetch(fetch: Fetch, apiKey: string | null, profile: ModelProfile): Fetch {
  /** Refusals that no change has helped against, by their words: they are not traced again. */
  const hopeless = new Set<string>()

  async function askAndLearn(address: string | URL | Request, options: RequestInit): Promise<Response> {
    const known = await profile.changes()
    const text = options.body as string
    const original = known.length === 0 ? null : bodyIn(text)
    let body = original === null ? null : known.reduce(changed, original)
    const made: Attempt[] = []
    const tried = new Set(known.map(triedKey))
    let first: { response: Response; words: string } | null = null
    for (;;) {
      const answer = await checked(
        await fetch(address, { ...options, body: body === null ? text : JSON.stringify(body) }),
      )
      if (answer.response !== null && answer.response.status < 400) {
        remember(made, first?.words ?? '', profile)
        return answer.response
      }
      const { status, statusText, headers, said, shown } = answer
      const refusal = new Response(shown, { status, statusText, headers })
      first ??= { response: refusal, words: said.words ?? '' }
      body ??= bodyIn(text)
      const guesses = made.filter(({ isNamed }) => !isNamed).length
      const next =
        body === null || made.length === mostChanges || hopeless.has(hopelessKey(status, said.words))
          ? null
          : refusedField(status, said, body, tried)
      if (next === null || body === null || (!next.isNamed && guesses === mostGuesses)) {
        if (guesses > 0) hopeless.add(hopelessKey(first.response.status, first.words))
        if (hopeless.size > 100) hopeless.clear()
        // Guesses that did not help say nothing: the first refusal does.
        return guesses > 0 ? first.response : refusal
      }
      tried.add(triedKey(next))
      made.push(next)
      body = next.apply(body)
    }
  }

  /** The answer itself; or, if it is an error, what it says. An error may come with a good status. */
  async function checked(response: Response) {
    const { statusText, headers } = response
    if (response.status < 400 && !isJson(headers)) return { response, ...nothing(response) }
    const text = await response.text()
    const value = jsonIn(text, modelTextLimits)
    if (response.status < 400 && !isErrorBody(value)) {
      const again = new Response(text, { status: response.status, statusText, headers })
      return { response: again, ...nothing(response) }
    }
    const shown = withoutKey(text, apiKey)
    const said = wordsInBody(shown)
    const status = response.status < 400 ? statusOf(wordsInValue(value)) : response.status
    return { response: null, status, statusText, headers, said, shown }
  }

  return (address, options = {}) =>
    typeof options.body === 'string' ? askAndLearn(address, options) : fetch(address, options)
}

const nothing = ({ status, statusText, headers }: Response) => ({
  status,
  statusText,
  headers,
  said: noWords,
  shown: '',
})

const isJson = (headers: Headers): boolean => /[/+]json\b/i.test(headers.get('content-type') ?? '')

const hopelessKey = (status: number, words: string | null): string => `${status} ${words?.slice(0, 200)}`

/** Null if the request is no JSON object. */
function bodyIn(text: string): Body | null {
  // This server wrote the request.
  const body: unknown = JSON.parse(text)
  return isFields(body) ? body : null
}

/** The body with a change that was learned. */
function changed(body: Body, { field, instead }: Change): Body {
  if (field.startsWith('keyword ')) return withoutKeywordOf(body, field.slice('keyword '.length))
  const one = switches.find(candidate => candidate.field === field) ?? otherSwitch(field)
  return one.isIn(body) ? one.apply(body, instead) : body
}

/** Of several guesses the last one helped. A tool's own fault is not its model's. */
function remember(made: readonly Attempt[], words: string, profile: ModelProfile): void {
  const guesses = made.filter(({ isNamed }) => !isNamed)
  for (const attempt of made) {
    const isKept = attempt.isNamed ? !attempt.field.startsWith(ofTool) : attempt === guesses.at(-1)
    if (isKept) profile.learn({ field: attempt.field, instead: attempt.instead }, words)
  }
}
