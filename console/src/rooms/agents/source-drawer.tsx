/** The words of the document that an answer rests on, and the way to where they stand. */
import { ArrowRight } from 'lucide-react'
import { useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { SideDrawer } from '../../ui/dialog.tsx'
import { documentTitle } from '../../ui/document-name.ts'
import { useOpenRooms } from '../rooms-context.ts'
import type { Citation } from './citation.ts'

type SourceDrawerProps = {
  marker: string
  citations: readonly Citation[]
  titles: ReadonlyMap<string, string>
  onClose: () => void
}

export function SourceDrawer({ marker, citations, titles, onClose }: SourceDrawerProps) {
  return (
    <SideDrawer open onClose={onClose} title={`Source ${marker.replace(/\D/g, '')}`}>
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
