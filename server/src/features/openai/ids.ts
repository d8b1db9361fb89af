/** Ids of responses, their items and calls: each names its run, so that nothing needs to be stored of them. */
import { idPrefixes } from '../../platform/ids.ts'

/** What follows the prefix of an id. */
const suffixOf = (runId: string): string => runId.slice(idPrefixes.run.length + 1)

export const responseIdOf = (runId: string): string => `resp_${suffixOf(runId)}`
export const completionIdOf = (runId: string): string => `chatcmpl-${suffixOf(runId)}`
export const messageIdOf = (runId: string, stepIndex: number): string => `msg_${suffixOf(runId)}_${stepIndex}`
export const callItemIdOf = (runId: string, index: number): string => `fc_${suffixOf(runId)}_${index}`
/** Within the forty characters that OpenAI's own models take. */
export const callIdOf = (runId: string, index: number): string => `call_${suffixOf(runId)}_${index}`

/** The run that the id of a response, a completion, an item or a call names; null if it is none of these. */
export function runIdOf(id: string): string | null {
  const [, suffix] = /^(?:resp|chatcmpl|msg|fc|call)[_-]([0-9a-hjkmnp-tv-z]{26})(?:_\d{1,5})?$/.exec(id) ?? []
  return suffix === undefined ? null : `${idPrefixes.run}_${suffix}`
}
