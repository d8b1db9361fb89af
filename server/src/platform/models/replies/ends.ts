/** The table of ends: what each word for the end of an answer means, in all protocols. An unknown word means broken. */
import type { LanguageModelV3FinishReason } from '@ai-sdk/provider'

/** Only `stop` and `tool-calls` are ends of a whole answer. */
export type End = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'broken'

/** Words without their case, and without the signs between their parts. */
const words: Readonly<Record<Exclude<End, 'broken'>, readonly string[]>> = {
  stop: [
    ...[
      'stop',
      'stopped',
      'stopsequence',
      'stopword',
      'stoptoken',
      'endturn',
      'endofturn',
      'eos',
      'eostoken',
    ],
    ...['eot', 'stoppedeos', 'stoppedword', 'complete', 'completed', 'done', 'end', 'finish', 'finished'],
    ...['success', 'succeeded', 'normal', 'stopcriteriamet'],
  ],
  'tool-calls': [
    ...['toolcalls', 'toolcall', 'tooluse', 'tool', 'tools', 'functioncall', 'functioncalls', 'function'],
    'requiresaction',
  ],
  length: [
    ...['length', 'maxlength', 'modellength', 'lengthlimit', 'maxtokens', 'maxoutputtokens', 'maxnewtokens'],
    ...['maxcompletiontokens', 'outputtokenlimit', 'tokenlimit', 'tokenlimitreached', 'maxtokensreached'],
    ...['limit', 'errorlimit', 'contextlength', 'contextlengthexceeded', 'contextwindowexceeded'],
    ...['modelcontextwindowexceeded', 'stoppedlimit', 'truncated', 'cut', 'cutoff', 'continuation'],
  ],
  'content-filter': [
    ...['contentfilter', 'contentfiltered', 'contentfiltering', 'contentpolicy', 'contentpolicyviolation'],
    ...['filter', 'filtered', 'safety', 'refusal', 'refused', 'recitation', 'blocklist', 'blocked', 'spii'],
    ...['prohibitedcontent', 'imagesafety', 'imageprohibitedcontent', 'imagerecitation', 'sensitive'],
    ...['moderation', 'moderated', 'flagged', 'guardrail', 'guardrails', 'guardrailintervened', 'errortoxic'],
    ...['policyviolation', 'modelarmor', 'jailbreak'],
  ],
}

const table = new Map<string, End>(
  Object.entries(words).flatMap(([end, names]) => names.map((name): [string, End] => [name, end as End])),
)

/** `FinishReason.MAX_TOKENS` and `max-tokens` are the same word. */
const plain = (word: string): string =>
  word
    .slice(word.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

export const endNamed = (word: string): End => table.get(plain(word)) ?? 'broken'

/** These words say that the answer goes on. Some servers send one of them with each piece. */
export const isNoEnd = (word: string): boolean => ['', 'null', 'none'].includes(word.trim().toLowerCase())

/** The server's own word counts for more than what a package makes of it: packages take unknown words for ends. */
export function endOf({ unified, raw }: LanguageModelV3FinishReason): End {
  const told = unified === 'error' || unified === 'other' ? 'broken' : unified
  const named = wordIn(raw)
  if (unified === 'error' || unified === 'content-filter' || named === null) return told
  const isWhole = named === 'stop' || named === 'tool-calls'
  return isWhole && told !== 'broken' ? told : named
}

const wordIn = (raw: string | undefined): End | null =>
  raw === undefined || isNoEnd(raw) ? null : endNamed(raw)
