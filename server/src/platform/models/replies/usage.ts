/** The tokens that a reply tells, under whichever names it tells them. */
import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { type Json, numberIn, recordIn } from './values.ts'

type Counts = { input?: number; output?: number; total?: number; cached?: number; reasoning?: number }

const names: Readonly<Record<keyof Counts, readonly string[]>> = {
  input: ['prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens', 'prompt_eval_count', 'prompt_n'],
  output: [
    'completion_tokens',
    'output_tokens',
    'completionTokens',
    'outputTokens',
    'eval_count',
    'predicted_n',
  ],
  total: ['total_tokens', 'totalTokens'],
  cached: ['cached_tokens', 'prompt_cache_hit_tokens', 'cache_read_input_tokens', 'cache_n'],
  reasoning: ['reasoning_tokens', 'thinking_tokens'],
}
const details = ['prompt', 'input', 'completion', 'output'].map(of => `${of}_tokens_details`)

function countsIn(usage: Json): Counts {
  const places = [usage, ...details.map(name => recordIn(usage[name]))]
  const counts: Counts = {}
  for (const [count, fields] of Object.entries(names) as [keyof Counts, readonly string[]][]) {
    for (const place of places) {
      const told = fields.map(field => numberIn(place[field])).find(number => number !== undefined)
      if (told !== undefined) counts[count] ??= told
    }
  }
  return counts
}

/** Takes the events of a reply. Servers repeat the usage while they write, so the largest counts are the last ones. */
export function createUsage(): { take(event: Json, choice: Json): void; told(): LanguageModelV3Usage } {
  const most: Counts = {}
  const add = (usage: unknown): void => {
    for (const [count, told] of Object.entries(countsIn(recordIn(usage))) as [keyof Counts, number][]) {
      most[count] = Math.max(most[count] ?? 0, told)
    }
  }
  return {
    take(event, choice) {
      for (const usage of [event.usage, choice.usage, recordIn(event.x_groq).usage])
        if (usage != null) add(usage)
      // The server's own counters, which llama.cpp sends in addition to the usage, or instead.
      if (event.usage == null && event.timings != null) add(event.timings)
    },
    told() {
      const { input, total, cached, reasoning } = most
      const output = outputOf(most)
      return {
        inputTokens: {
          total: input ?? (total === undefined ? undefined : Math.max(0, total - (output ?? 0))),
          noCache: undefined,
          cacheRead: cached,
          cacheWrite: undefined,
        },
        outputTokens: { total: output, text: undefined, reasoning },
      }
    },
  }
}

/** Some servers leave the reasoning out of the tokens of the answer, and count it only in the total. */
function outputOf({ input, output, total }: Counts): number | undefined {
  if (input === undefined || total === undefined) return output
  return Math.max(output ?? 0, total - input)
}
