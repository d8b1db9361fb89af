/** What another agent's answer rests on, and the answer with the markers that the passages have elsewhere. */
import type { Passage } from '../../../platform/tool.ts'
import { markerPattern } from '../records/citations.ts'
import { passagesOf, type Step } from '../records/steps.ts'

export type CitedAnswer = { output: (markers: readonly string[]) => string; passages: Passage[] }

/** The passages in the order in which the answer first cites them; `output` is given their markers in that order. */
export function citedPassages(text: string, steps: readonly Step[]): CitedAnswer {
  const known = new Map(passagesOf(steps).map(({ number, passage }) => [number, passage]))
  const numbers = new Set<number>()
  for (const [, listed = ''] of text.matchAll(markerPattern())) {
    for (const number of listed.split(',').map(Number)) if (known.has(number)) numbers.add(number)
  }
  const cited = [...numbers]
  const output = (markers: readonly string[]) =>
    text.replace(markerPattern(), (_, listed: string) =>
      listed
        .split(',')
        // A marker of nothing must not become one of something.
        .map(number => markers[cited.indexOf(Number(number))] ?? '')
        .join(''),
    )
  return { output, passages: cited.flatMap(number => known.get(number) ?? []) }
}
