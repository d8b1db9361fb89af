/** The text of a document, a part at a time; what the address cites is marked and brought into view. */

import type { Document } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, FileText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useSearchValue } from '../../api/search-values.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState, Notice } from '../../ui/notices.tsx'
import { markedPieces, type Range } from './code-points.ts'
import { isProcessing } from './document-status.tsx'

const partLength = 20_000
/** The API answers no more at once. */
const longestPart = 100_000
/** What is shown before a cited passage, so that one sees where it stands. */
const contextLength = 2_000

export function DocumentText({ document }: { document: Document }) {
  const { id, servedVersion, status } = document
  const address = useAddress()
  const navigate = useNavigate()
  const { version, cited, part } = address
  const wanted = version ?? servedVersion
  const content = useApiQuery(
    ['documents', id, 'content', { version: wanted, ...part }],
    (atrium, options) =>
      atrium.knowledge.documents.content(
        id,
        withoutUndefined({ ...part, version: wanted ?? undefined }),
        options,
      ),
    { enabled: wanted !== null },
  )
  if (wanted === null) {
    return (
      <EmptyState
        icon={FileText}
        title={status === 'failed' ? 'There is no text' : 'The text is not there yet'}
      >
        {isProcessing(document)
          ? 'The document is being read. Its text appears here by itself.'
          : 'The reason stands above. Once it is ready, its text stands here.'}
      </EmptyState>
    )
  }
  const showPresent = () => void navigate({ to: '.', search: {} })
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {version !== null && version !== servedVersion && (
        <Notice
          tone="warn"
          title={`This is version ${version}`}
          action={
            <Button size="small" onClick={showPresent}>
              Show the present version
            </Button>
          }
        >
          {content.error === null
            ? 'A later one has taken its place: searches and agents find that.'
            : 'It may be among those that were given up. The present one can be read.'}
        </Notice>
      )}
      <Loaded query={content}>
        {({ text, startOffset, endOffset, length }) =>
          length === 0 ? (
            <EmptyState icon={FileText} title="The document has no text">
              It is there, but there is nothing in it that could be found.
            </EmptyState>
          ) : text === '' ? (
            <EmptyState
              icon={FileText}
              title="The text ends before that"
              action={
                <Button onClick={() => void navigate({ to: '.', search: { at: '0' } })}>
                  Show it from its beginning
                </Button>
              }
            >
              The address names a passage that this version does not have.
            </EmptyState>
          ) : (
            <>
              <TextPart text={text} startOffset={startOffset} cited={cited} />
              <Parts startOffset={startOffset} endOffset={endOffset} length={length} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

type Address = { version: number | null; cited: Range | null; part: { from: number; to: number } }

/** `?version=&from=&to=` name a passage, `?at=` the part that is shown. */
function useAddress(): Address {
  const [version] = useSearchValue('version')
  const [from] = useSearchValue('from')
  const [to] = useSearchValue('to')
  const [at] = useSearchValue('at')
  const start = numberOf(from)
  const end = numberOf(to)
  const cited = start !== null && end !== null && end > start ? { from: start, to: end } : null
  const first = numberOf(at) ?? Math.max(0, (cited?.from ?? 0) - contextLength)
  const needed = at === '' && cited !== null ? cited.to - first + contextLength : 0
  const length = Math.min(longestPart, Math.max(partLength, needed))
  return { version: numberOf(version) || null, cited, part: { from: first, to: first + length } }
}

function numberOf(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

type TextPartProps = { text: string; startOffset: number; cited: Range | null }

function TextPart({ text, startOffset, cited }: TextPartProps) {
  const mark = useRef<HTMLElement>(null)
  const announce = useAnnounce()
  const ranges =
    cited === null
      ? []
      : [{ from: Math.max(0, cited.from - startOffset), to: Math.max(0, cited.to - startOffset) }]
  const pieces = markedPieces(text, ranges)
  const place = cited === null ? '' : `${startOffset}/${cited.from}/${cited.to}`
  useEffect(() => {
    if (place === '' || mark.current === null) return
    mark.current.scrollIntoView({ block: 'center' })
    // Keyboard and screen reader users start at the passage.
    mark.current.focus({ preventScroll: true })
    announce('The cited passage is marked')
  }, [place, announce])
  return (
    <article
      aria-label="Text"
      className="rounded-lg border bg-surface px-5 py-6 text-[15px] leading-7 whitespace-pre-wrap [overflow-wrap:anywhere] shadow-card sm:px-10 sm:py-8"
    >
      <div dir="auto" className="mx-auto max-w-[76ch] [unicode-bidi:plaintext]">
        {pieces.map(({ text: piece, isMarked, start }) =>
          isMarked ? (
            <mark
              key={start}
              ref={mark}
              tabIndex={-1}
              className="rounded-sm bg-accent-soft px-0.5 text-ink outline-none [box-decoration-break:clone] shadow-[0_2px_0_var(--color-accent-text)]"
            >
              {piece}
            </mark>
          ) : (
            <span key={start}>{piece}</span>
          ),
        )}
      </div>
    </article>
  )
}

type PartsProps = { startOffset: number; endOffset: number; length: number }

/** Nothing where one part holds all. */
function Parts({ startOffset, endOffset, length }: PartsProps) {
  const [, setAt] = useSearchValue('at', 'passage')
  if (startOffset === 0 && endOffset >= length) return null
  const show = (at: number) => {
    setAt(String(Math.max(0, at)))
    window.scrollTo({ top: 0 })
  }
  return (
    <nav aria-label="Parts of the text" className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted">
        Characters {formatNumber(startOffset + 1)}–{formatNumber(endOffset)} of {formatNumber(length)}
      </p>
      <div className="flex gap-2">
        <Button
          size="small"
          icon={ChevronLeft}
          disabled={startOffset === 0}
          onClick={() => show(startOffset - partLength)}
        >
          Earlier
        </Button>
        <Button size="small" disabled={endOffset >= length} onClick={() => show(endOffset)}>
          Later
          <ChevronRight aria-hidden size={16} />
        </Button>
      </div>
    </nav>
  )
}
