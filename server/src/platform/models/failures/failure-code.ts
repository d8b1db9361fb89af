/** The code of a failed model call, from the status and the words of the server, and whether it is surely our fault. */
import type { ModelErrorCode } from './codes.ts'
import type { ServerWords } from './server-words.ts'
import { isTooLong } from './too-long.ts'

/** A kind of failure by the codes and types that servers give it in an answer whose status does not say it. */
const statusesOfCodes: readonly (readonly [RegExp, number])[] = [
  [/insufficient_?(quota|balance|credit)|billing|payment|arrears|quota_?exceeded/i, 402],
  [/rate_?limit|too_?many_?requests|throttl|resource_?exhausted/i, 429],
  [
    /context_?length|invalid_?(request|argument|param|prompt|input)|bad_?request|validation|unprocessable/i,
    400,
  ],
  [/request_?too_?large|payload_?too_?large/i, 413],
  [/model_?not_?found|not_?found|no_?such_?model/i, 404],
  [/authentication|unauthenticated|unauthorized|invalid_?(api_?)?(key|token)/i, 401],
  [/permission|forbidden|access_?denied/i, 403],
  [/time_?d?_?out|deadline/i, 504],
  [/overloaded|unavailable|busy|capacity/i, 529],
]

/** The status that an error would have had before the answer began; 500 if it does not say. */
export function statusOf({ codes, numbers }: ServerWords): number {
  for (const [pattern, status] of statusesOfCodes) {
    if (codes.some(code => pattern.test(code))) return status
  }
  const named = codes.map(code => (/^\d{3}$/.test(code) ? Number(code) : 0))
  const counted = numbers.flatMap(([name, value]) => (/code|status/i.test(name) ? [value] : []))
  return [...named, ...counted].find(status => status >= 400 && status < 600) ?? 500
}

const money =
  /\b(insufficient|not enough|no|low|exhausted|out of|ran? out of|negative|exceeded|overdue|add|buy|purchase|more)\W{1,3}(\w{1,20}\W{1,3}){0,4}(credits?|balance|funds?|quota|billing|budget|payments?)\b|\b(credits?|balance|quota|budget|funds?)\b\W{1,3}(\w{1,20}\W{1,3}){0,4}(too low|low|insufficient|exhausted|exceeded|empty|depleted|used up|spent|negative|reached|not enough|ran out|run out|finished)\b|payment required|\bbilling\b|\barrears\b|insufficient_quota|top.?up|余额|欠费/i
const perTime = /\bper[ _-]?(second|minute|hour)\b|\b[tr]p[ms]\b|per_?minute/i
const rate = /rate.?limit|too many requests|throttl|requests per|tokens per|concurren/i
const busy =
  /overload|at capacity|too busy|server (is )?busy|temporarily|try again (later|soon)|still loading|is loading|warming/i
const key =
  /(invalid|incorrect|missing|expired|wrong|no|not valid|disabled|revoked)\W{1,3}(\w{1,20}\W{1,3}){0,3}(api.?key|access token|bearer token|credentials)|(api.?key|credentials)\W{1,3}(\w{1,20}\W{1,3}){0,3}(invalid|incorrect|missing|expired|not valid|wrong|not found)|unauthori[sz]ed|not authenticated/i
const noModel =
  /\bmodel\b[^.;]{0,120}(not found|(does|do) ?n[o']t exist|not exist|decommissioned|retired|discontinued|deprecated|no longer|not (currently )?(available|loaded|served)|unknown)|\b(unknown|invalid|no such|nonexistent|unrecogni[sz]ed) model\b|model_not_found|\bmodel \S{1,200} is not (supported|valid)/i

/** What the server's answer means. */
export function codeOf(status: number, said: ServerWords, hasWait: boolean): ModelErrorCode {
  const text = `${said.words ?? ''} ${said.codes.join(' ')}`
  if (isTooLong(status, said)) return 'context_too_long'
  if (status === 402) return 'model_quota_exceeded'
  if (status === 429) return isSpent(text, hasWait) ? 'model_quota_exceeded' : 'model_rate_limited'
  if (status === 401) return 'model_unauthorized'
  if (status === 403) return money.test(text) ? 'model_quota_exceeded' : 'model_unauthorized'
  if (status === 404 || status === 410) return 'model_not_found'
  if (status === 408 || status === 504 || status === 524) return 'model_timeout'
  if (status >= 500 || [409, 423, 425].includes(status)) {
    return money.test(text) ? 'model_quota_exceeded' : 'model_unavailable'
  }
  return codeOfRefusal(text)
}

/** A limit per minute is no account that is empty. */
const isSpent = (text: string, hasWait: boolean): boolean =>
  /insufficient_?(quota|balance|credit)/i.test(text) || (money.test(text) && !perTime.test(text) && !hasWait)

/** Some servers have one status for everything. */
function codeOfRefusal(text: string): ModelErrorCode {
  if (money.test(text)) return perTime.test(text) ? 'model_rate_limited' : 'model_quota_exceeded'
  if (key.test(text)) return 'model_unauthorized'
  if (noModel.test(text)) return 'model_not_found'
  if (rate.test(text)) return 'model_rate_limited'
  return busy.test(text) ? 'model_unavailable' : 'model_request_rejected'
}

const malformed =
  /(could ?n[o']t|cannot|can't|failed to|unable to|error)\W{1,3}(\w{1,20}\W{1,3}){0,3}(pars(e|ing)|decod(e|ing)) (?!(tool|function|template|chat))|invalid json\b|malformed (json|body|request body)|unexpected end of (json|input)|not valid json/i
const badImage =
  /(could ?n[o']t|cannot|failed to|unable to)\W{1,3}(\w{1,20}\W{1,3}){0,2}(process|decode|read|load|open)\W{1,3}(\w{1,20}\W{1,3}){0,2}images?\b|invalid (image|base64)|images?\b[^.;]{0,60}(corrupt|not a valid|is invalid|damaged|too (large|big)|exceeds)/i

/** A request that no model can read: a broken body, or a picture that is none. Another model would refuse it too. */
export const isOurFault = (words: string): boolean => malformed.test(words) || badImage.test(words)
