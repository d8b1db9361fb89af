/** What a result's score is made of, in words and bars. */
import type { SearchHit } from '@atrium/sdk'
import type { ReactNode } from 'react'

type Explained = NonNullable<SearchHit['explanation']>

const modeWords = { text: 'by words', vector: 'by meaning', hybrid: 'by words and meaning' }

export function Explanation({ explanation }: { explanation: Explained }) {
  const { mode, fallback, text, vectors, fusion, rerank } = explanation
  return (
    <div className="mt-4 flex min-w-0 flex-col gap-3 rounded-md border bg-sunken p-4 text-[13px]">
      <p>
        Searched {modeWords[mode]}.{fallback !== null && ` Without vectors: ${fallback}.`}
      </p>
      {text !== null && (
        <Part title={`Words: place ${text.rank}, score ${short(text.score)}`}>
          <Parts parts={text.parts.map(partOf)} />
        </Part>
      )}
      {text === null && mode !== 'vector' && (
        <p className="text-muted">Its words alone do not bring it up.</p>
      )}
      {vectors.map(({ model, rank, similarity }) => (
        <Part key={model} title={`Meaning: place ${rank}, similarity ${short(similarity)} of 1`}>
          <p className="[overflow-wrap:anywhere] text-muted">{model}</p>
        </Part>
      ))}
      {fusion !== null && (
        <p>Both lists together: {short(fusion)}, the sum of 1 ÷ (60 + place) over the lists that it is in.</p>
      )}
      {rerank !== null && (
        <p>
          {rerank.failure === undefined
            ? `The reranker${rerank.model == null ? '' : ` ${rerank.model}`} put it at place ${rerank.rank ?? '–'}${rerank.score === undefined ? '' : ` by ${short(rerank.score)}`}.`
            : `The reranker was left out: ${rerank.failure}.`}
        </p>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p dir="auto" className="font-medium">
        {title}
      </p>
      {children}
    </div>
  )
}

type ScorePart = { terms: string; field: string; score: number; correctedTo: string | null }

const fieldWords: Readonly<Record<string, string>> = {
  body: 'in the text',
  title: 'in the title',
  headings: 'in the headings',
  name: 'in the file’s name',
  proximity: 'side by side',
  phrase: 'as a phrase',
}

/** The API leaves the form of a part open; what it does not say is left out. */
function partOf(part: Readonly<Record<string, unknown>>): ScorePart {
  const { terms, field, score, correctedTo } = part
  return {
    terms: Array.isArray(terms) ? terms.join(' ') : '',
    field: typeof field === 'string' ? field : '',
    score: typeof score === 'number' ? score : 0,
    correctedTo: typeof correctedTo === 'string' ? correctedTo : null,
  }
}

function Parts({ parts }: { parts: readonly ScorePart[] }) {
  const most = Math.max(...parts.map(({ score }) => score))
  return (
    <ul className="mt-1.5 flex flex-col gap-1.5">
      {parts
        .toSorted((a, b) => b.score - a.score)
        .map(({ terms, field, score, correctedTo }) => (
          <li
            key={`${field} ${terms}`}
            className="grid grid-cols-[minmax(0,1fr)_4rem_3rem] items-center gap-3 sm:grid-cols-[minmax(0,1fr)_10rem_3rem]"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <strong className="font-medium">{terms}</strong>{' '}
              <span className="text-muted">
                {fieldWords[field] ?? field}
                {correctedTo !== null && `, read as ${correctedTo}`}
              </span>
            </span>
            <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${Math.max(2, (score / most) * 100)}%` }}
              />
            </span>
            <span className="text-right tabular-nums">{short(score)}</span>
          </li>
        ))}
    </ul>
  )
}

const short = (value: number): string => value.toLocaleString(undefined, { maximumSignificantDigits: 3 })
