/** What a model has written, as Markdown without HTML, with its sources as numbered marks that open the passage. */

import type { Run } from '@atrium/sdk'
import { ArrowRight } from 'lucide-react'
import { type ComponentProps, memo, type ReactNode, useState } from 'react'
import Markdown from 'react-markdown'
import { useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { SideDrawer } from '../../ui/dialog.tsx'
import { documentTitle } from '../../ui/format.ts'
import { useOpenRooms } from '../room.ts'

type AnswerProps = {
  text: string
  /** None while the answer is being written: where it stands is told at the end. */
  citations: readonly Citation[]
  /** The titles of documents that the run has read, by id. */
  titles: ReadonlyMap<string, string>
}

export const Answer = memo(function Answer({ text, citations, titles }: AnswerProps) {
  const [opened, setOpened] = useState<string | null>(null)
  const markers = new Set(citations.map(({ marker }) => marker))
  const mark = (number: string): ReactNode => {
    const marker = `[${number}]`
    if (!markers.has(marker)) return <span className="text-muted">{marker}</span>
    return <SourceMark key={number} number={number} onOpen={() => setOpened(marker)} />
  }
  const components: Components = {
    ...looks,
    // Written by `markSources` only: Markdown has no such element.
    mark: ({ children }) => <>{numbersOf(String(children)).map(mark)}</>,
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs.
    <div role="group" aria-label="Answer" className="min-w-0 break-words">
      <Markdown rehypePlugins={[markSources]} components={components}>
        {text}
      </Markdown>
      {citations.length > 0 && <Sources citations={citations} titles={titles} onOpen={setOpened} />}
      {opened !== null && (
        <SourceDrawer
          marker={opened}
          citations={citations.filter(({ marker }) => marker === opened)}
          titles={titles}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  )
})

/** Large enough to be hit, small enough to stand in a line. */
function SourceMark({ number, onOpen }: { number: string; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Source ${number}`}
      onClick={onOpen}
      className="group -my-1 inline-flex size-6 items-center justify-center rounded-sm align-middle"
    >
      <span className="inline-flex h-4 min-w-4 items-center justify-center rounded-[4px] bg-accent-soft px-1 text-[11px] leading-none font-semibold text-accent-text group-hover:bg-accent group-hover:text-accent-ink">
        {number}
      </span>
    </button>
  )
}

type SourcesProps = Pick<AnswerProps, 'citations' | 'titles'> & { onOpen: (marker: string) => void }

function Sources({ citations, titles, onOpen }: SourcesProps) {
  const first = new Map(citations.toReversed().map(citation => [citation.marker, citation]))
  const ordered = [...first.values()].toSorted((one, other) => numberOf(one) - numberOf(other))
  return (
    <ul aria-label="Sources" className="mt-3 flex flex-wrap gap-1.5">
      {ordered.map(citation => (
        <li key={citation.marker} className="min-w-0">
          <button
            type="button"
            onClick={() => onOpen(citation.marker)}
            className="flex h-7 max-w-full items-center gap-1.5 rounded-full border bg-surface px-2.5 text-[12px] text-muted hover:bg-hover hover:text-ink"
          >
            <span className="font-semibold text-accent-text">{numberOf(citation)}</span>
            <span className="max-w-60 truncate">{titles.get(citation.documentId) ?? 'Document'}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const numberOf = ({ marker }: Citation): number => Number(marker.replace(/\D/g, ''))

type Components = NonNullable<ComponentProps<typeof Markdown>['components']>

const heading: Components['h3'] = ({ children }) => (
  <h3 dir="auto" className="mt-4 mb-1.5 text-[15px] font-semibold first:mt-0">
    {children}
  </h3>
)

/** Within the page's own headings, and without anything that is loaded from elsewhere. */
const looks: Components = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  p: ({ children }) => (
    <p dir="auto" className="mt-2.5 leading-6 first:mt-0">
      {children}
    </p>
  ),
  ul: ({ children }) => <ul className="mt-2.5 list-disc space-y-1 pl-5 first:mt-0">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="mt-2.5 list-decimal space-y-1 pl-5 first:mt-0">
      {children}
    </ol>
  ),
  li: ({ children }) => (
    <li dir="auto" className="leading-6">
      {children}
    </li>
  ),
  blockquote: ({ children }) => (
    <blockquote dir="auto" className="mt-2.5 border-s-2 border-edge/60 ps-3 text-muted first:mt-0">
      {children}
    </blockquote>
  ),
  hr: () => <hr className="my-4" />,
  code: ({ children }) => (
    <code className="rounded-[4px] bg-sunken px-1 py-0.5 font-mono text-[13px] break-words">{children}</code>
  ),
  pre: ({ children }) => (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys.
      tabIndex={0}
      className="mt-2.5 overflow-x-auto rounded-md border bg-sunken p-3 leading-5 first:mt-0"
    >
      {children}
    </pre>
  ),
  a: ({ children, href }) => <OutsideLink to={href}>{children}</OutsideLink>,
  // A picture from elsewhere would tell that address who reads the answer.
  img: ({ alt, src }) => (
    <OutsideLink to={typeof src === 'string' ? src : undefined}>{alt || 'Picture'}</OutsideLink>
  ),
}

const OutsideLink = ({ to, children }: { to: string | undefined; children: ReactNode }) => (
  <a
    href={to}
    target="_blank"
    rel="noreferrer noopener"
    className="text-accent-text underline underline-offset-3"
  >
    {children}
  </a>
)

type SourceDrawerProps = {
  marker: string
  citations: readonly Citation[]
  titles: ReadonlyMap<string, string>
  onClose: () => void
}

/** The words of the document that an answer rests on, and the way to where they stand. */
function SourceDrawer({ marker, citations, titles, onClose }: SourceDrawerProps) {
  return (
    <SideDrawer onClose={onClose} title={`Source ${marker.replace(/\D/g, '')}`}>
      <ul className="flex flex-col gap-6">
        {citations.map(citation => (
          <li key={`${citation.startOffset} ${citation.endOffset}`}>
            <Quote citation={citation} title={titles.get(citation.documentId)} />
          </li>
        ))}
      </ul>
    </SideDrawer>
  )
}

function Quote({ citation, title }: { citation: Citation; title: string | undefined }) {
  const { documentId, documentVersion, quote, page, startOffset, endOffset } = citation
  const mayRead = useMay('knowledge:read')
  const hasPage = useOpenRooms().some(({ path }) => path === '/knowledge/documents/$documentId')
  const { data } = useApiQuery(
    ['documents', documentId],
    (atrium, options) => atrium.knowledge.documents.get(documentId, options),
    { enabled: mayRead && title === undefined },
  )
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="min-w-0 font-medium break-words">
        {title ?? (data === undefined ? 'Document' : documentTitle(data))}
      </p>
      <blockquote
        dir="auto"
        className="w-full border-s-2 border-accent-text ps-3 leading-6 break-words whitespace-pre-line"
      >
        {quote}
      </blockquote>
      <p className="text-[13px] text-muted">
        {page !== null && `Page ${page} · `}version {documentVersion}, characters {startOffset} to {endOffset}
      </p>
      {hasPage && (
        <ButtonLink
          to={`/knowledge/documents/${documentId}`}
          search={{ version: documentVersion, from: startOffset, to: endOffset }}
          icon={ArrowRight}
        >
          Open the passage
        </ButtonLink>
      )}
    </div>
  )
}

/** What is needed of a node of the tree that Markdown becomes. */
type Node = {
  type: string
  value?: string
  tagName?: string
  properties?: Record<string, never>
  children?: Node[]
}

/** As the server finds them: server/src/features/agents/records/citations.ts. */
const markerPattern = /(\[\d{1,4}(?:\s*,\s*\d{1,4}){0,9}\])/

/** For `rehypePlugins`: makes elements of the markers of sources, such as [1] or [1, 2]. Code stays as it is. */
const markSources = () => (tree: unknown) => markNode(tree as Node)

function markNode(node: Node): void {
  if (node.children === undefined || node.tagName === 'code' || node.tagName === 'a') return
  node.children = node.children.flatMap(child => {
    markNode(child)
    return child.type === 'text' ? splitText(child.value ?? '') : [child]
  })
}

const splitText = (text: string): Node[] =>
  text
    .split(markerPattern)
    .filter(part => part !== '')
    .map(value => {
      const child: Node = { type: 'text', value }
      return markerPattern.test(value)
        ? { type: 'element', tagName: 'mark', properties: {}, children: [child] }
        : child
    })

/** `[1, 2]` is 1 and 2. */
const numbersOf = (marker: string): string[] => marker.match(/\d+/g) ?? []

/** The words of a document that an answer rests on. */
type Citation = Run['citations'][number]
