/** One passage that was found, with the words that it was found by, and the way to where it stands. */
import type { SearchHit } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { documentTitle } from '../../ui/format.ts'
import { markedPieces } from './code-points.ts'

/** From about here on a passage would push the next one out of sight. */
const longText = 700

type Props = { hit: SearchHit; rank: number; collectionName: string | undefined }

export function SearchResult({ hit, rank, collectionName }: Props) {
  const { documentId, documentVersion, location, text, highlights, score, explanation } = hit
  const [isOpen, setOpen] = useState(false)
  const pieces = markedPieces(
    text,
    highlights.map(({ startOffset, endOffset }) => ({ from: startOffset, to: endOffset })),
  )
  const facts = [
    collectionName,
    location.page === null ? null : `page ${location.page}`,
    documentVersion > 1 ? `version ${documentVersion}` : null,
    `score ${short(score)}`,
  ]
  return (
    <article className="min-w-0 rounded-lg border bg-surface p-5 shadow-card">
      <header className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          <span className="mr-2 font-normal text-muted">{rank}.</span>
          <Link
            to="/knowledge/documents/$documentId"
            params={{ documentId }}
            search={{
              version: String(documentVersion),
              from: String(location.startOffset),
              to: String(location.endOffset),
            }}
            className="text-accent-text hover:underline"
          >
            {documentTitle(hit)}
          </Link>
        </h3>
        <p className="text-[13px] [overflow-wrap:anywhere] text-muted">
          {facts.filter(fact => fact != null).join(' · ')}
        </p>
      </header>
      <p
        dir="auto"
        className={classNames(
          'mt-2 leading-6 [overflow-wrap:anywhere]',
          // Empty lines would take the place of the words that were found.
          !isOpen && text.length > longText ? 'line-clamp-6' : 'whitespace-pre-wrap',
        )}
      >
        {pieces.map(({ text: piece, isMarked, start }) =>
          isMarked ? (
            <mark key={start} className="rounded-sm bg-accent-soft font-medium text-accent-text">
              {piece}
            </mark>
          ) : (
            <span key={start}>{piece}</span>
          ),
        )}
      </p>
      {text.length > longText && (
        <Button size="small" variant="ghost" className="mt-1 -ml-3" onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show the whole passage'}
        </Button>
      )}
      {explanation !== undefined && <Explanation explanation={explanation} />}
    </article>
  )
}

type Explained = NonNullable<SearchHit['explanation']>

const modeWords = { text: 'by words', vector: 'by meaning', hybrid: 'by words and meaning' }

function Explanation({ explanation }: { explanation: Explained }) {
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
