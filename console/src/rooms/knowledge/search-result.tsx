/** One passage that was found, with the words that it was found by, and the way to where it stands. */
import type { SearchHit } from '@atrium/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { documentTitle } from '../../ui/document-name.ts'
import { markedPieces } from './code-points.ts'
import { Explanation } from './search-explanation.tsx'

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
    `score ${shortScore(score)}`,
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

const shortScore = (score: number): string => score.toLocaleString(undefined, { maximumSignificantDigits: 3 })
