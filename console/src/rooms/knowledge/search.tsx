/** The search playground: what agents and programs would find, and why. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery, usePagedQuery } from '../../api/queries.ts'
import { usePage, useSearchValue } from '../../api/search-values.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { count } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchForm, type SearchValues } from './search-form.tsx'
import { SearchResult } from './search-result.tsx'

const pageSize = 10
/** As many collections as can be chosen from by name. */
const mostCollections = 100

export function Room() {
  const navigate = useNavigate()
  const values = useValues()
  const collections = useApiQuery(['collections', 'names'], (atrium, options) =>
    atrium.knowledge.collections.list({ pageSize: mostCollections }, options).page(),
  )
  const known = collections.data?.items ?? []
  const search = (wanted: SearchValues) =>
    void navigate({
      to: '.',
      search: {
        query: wanted.query,
        collection: wanted.collection,
        mode: wanted.mode === 'auto' ? undefined : wanted.mode,
        filter: wanted.filter,
        explain: wanted.explain ? 'yes' : undefined,
      },
    })
  return (
    <Page
      back={{ to: '/knowledge', label: 'Knowledge' }}
      title="Search the knowledge"
      description="What an agent would find, best first, and what put it there."
    >
      <Card>
        <SearchForm values={values} collections={known} onSearch={search} />
      </Card>
      {values.query === '' ? (
        <EmptyState icon={Search} title="Ask as people ask">
          Plain words are enough. “Words in quotes” have to stand side by side, -word must not be there, and
          word* finds all that begins so. Each result opens its document at the passage.
        </EmptyState>
      ) : (
        <Results values={values} collectionNames={new Map(known.map(({ id, name }) => [id, name]))} />
      )}
    </Page>
  )
}

function useValues(): SearchValues {
  const [query] = useSearchValue('query')
  const [collection] = useSearchValue('collection')
  const [mode] = useSearchValue('mode', 'auto')
  const [filter] = useSearchValue('filter')
  const [explain] = useSearchValue('explain')
  const isMode = mode === 'text' || mode === 'vector' || mode === 'hybrid'
  const known: SearchValues['mode'] = isMode ? mode : 'auto'
  return useMemo(
    () => ({ query, collection, mode: known, filter, explain: explain === 'yes' }),
    [query, collection, known, filter, explain],
  )
}

type ResultsProps = { values: SearchValues; collectionNames: ReadonlyMap<string, string> }

function Results({ values, collectionNames }: ResultsProps) {
  const { query, collection, mode, filter, explain } = values
  const [page] = usePage()
  const hits = usePagedQuery(
    ['documents', 'search', values],
    (atrium, paging, options) =>
      atrium.knowledge
        .search(
          query,
          withoutUndefined({
            ...paging,
            mode,
            explain,
            collectionId: collection !== '' ? [collection] : undefined,
            filter: filter !== '' ? filter : undefined,
          }),
          options,
        )
        .page(),
    { pageSize },
  )
  const found = hits.data?.total
  const announce = useAnnounce()
  useEffect(() => {
    if (found !== undefined) announce(count(found, 'result'))
  }, [found, announce])
  return (
    <Loaded query={hits}>
      {({ items, total }) =>
        total === 0 ? (
          <EmptyState icon={Search} title="Nothing was found">
            Try other words, fewer of them, or all collections. A document is found as soon as it is ready.
          </EmptyState>
        ) : (
          <section aria-labelledby="results" className="flex min-w-0 flex-col gap-4">
            <h2 id="results" className="text-base font-semibold">
              {count(total, 'result')}
            </h2>
            <ol className="flex min-w-0 flex-col gap-4">
              {items.map((hit, place) => (
                <li key={hit.chunkId} className="min-w-0">
                  <SearchResult
                    hit={hit}
                    rank={(page - 1) * pageSize + place + 1}
                    collectionName={collectionNames.get(hit.collectionId)}
                  />
                </li>
              ))}
            </ol>
            <Pager page={hits.page} pageSize={pageSize} total={total} onPage={hits.setPage} />
          </section>
        )
      }
    </Loaded>
  )
}
