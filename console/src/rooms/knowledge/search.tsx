/** The search playground: what agents and programs would find, and why. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { parsedJson } from '../../api/parsed-json.ts'
import { usePagedQuery } from '../../api/queries.ts'
import { useRecords } from '../../api/records.tsx'
import { usePage, useSearchChoice, useSearchValue } from '../../api/search-values.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choices.tsx'
import { Form, SelectField, TextareaField, TextField } from '../../ui/field.tsx'
import { count } from '../../ui/format.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { Card, Page, Section } from '../../ui/page.tsx'
import { Pager } from '../../ui/table.tsx'
import { SearchResult } from './search-result.tsx'

const pageSize = 10
export function Room() {
  const navigate = useNavigate()
  const values = useValues()
  const collections = useRecords('collections')
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
  const [mode] = useSearchChoice('mode', modeNames, 'auto')
  const [filter] = useSearchValue('filter')
  const [explain] = useSearchValue('explain')
  return useMemo(
    () => ({ query, collection, mode, filter, explain: explain === 'yes' }),
    [query, collection, mode, filter, explain],
  )
}

type ResultsProps = { values: SearchValues; collectionNames: ReadonlyMap<string, string> }

function Results({ values, collectionNames }: ResultsProps) {
  const { query, collection, mode, filter, explain } = values
  const [page] = usePage()
  const hits = usePagedQuery(
    ['documents', 'search', values],
    (atrium, paging, options) =>
      atrium.knowledge.search(
        query,
        withoutUndefined({
          ...paging,
          mode,
          explain,
          collectionId: collection !== '' ? [collection] : undefined,
          filter: filter !== '' ? filter : undefined,
        }),
        options,
      ),
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
          <Section title={count(total, 'result')}>
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
            <Pager of={hits} total={total} />
          </Section>
        )
      }
    </Loaded>
  )
}

/** What to look for, and where and how. */
type SearchValues = {
  query: string
  /** Empty for all. */
  collection: string
  mode: 'auto' | 'text' | 'vector' | 'hybrid'
  /** JSON, as the API takes it; empty for none. */
  filter: string
  explain: boolean
}

const modes: readonly { value: SearchValues['mode']; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'text', label: 'By words' },
  { value: 'vector', label: 'By meaning' },
  { value: 'hybrid', label: 'By both' },
]
const modeNames = modes.map(({ value }) => value)

type SearchFormProps = {
  values: SearchValues
  collections: readonly { id: string; name: string }[]
  onSearch: (values: SearchValues) => void
}

function SearchForm({ values: given, collections, onSearch }: SearchFormProps) {
  const [values, setValues] = useState(given)
  // The way back leads to an earlier search.
  useEffect(() => setValues(given), [given])
  const change = (part: Partial<SearchValues>) => setValues({ ...values, ...part })
  const filterFault =
    values.filter.trim() === '' || parsedJson(values.filter) !== undefined
      ? undefined
      : 'This is no JSON yet.'
  return (
    <Form
      onSubmit={() => {
        if (filterFault === undefined)
          onSearch({ ...values, query: values.query.trim(), filter: values.filter.trim() })
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            label="Question or words"
            type="search"
            required
            autoFocus={given.query === ''}
            maxLength={4_000}
            placeholder="How many days of leave are there?"
            value={values.query}
            onChange={text => change({ query: text })}
          />
        </div>
        <Button type="submit" variant="primary" icon={Search}>
          Search
        </Button>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="In"
          value={values.collection}
          onChange={collection => change({ collection })}
          emptyLabel="All collections"
          options={collections.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <SelectField label="How" value={values.mode} onChange={mode => change({ mode })} options={modes} />
      </div>
      <details open={given.filter !== ''} className="min-w-0">
        <summary className="w-fit font-medium text-muted hover:text-ink">Narrow by metadata</summary>
        <div className="mt-3">
          <TextareaField
            label="Filter"
            hint={
              <>
                Such as{' '}
                <code className="font-mono text-[12px] [overflow-wrap:anywhere]">
                  {'{"field": "department", "op": "eq", "value": "people"}'}
                </code>
                ; joined by and, or, not.
              </>
            }
            error={filterFault}
            rows={3}
            spellCheck={false}
            maxLength={16_000}
            className="font-mono"
            value={values.filter}
            onChange={text => change({ filter: text })}
          />
        </div>
      </details>
      <Switch
        label="Explain the order"
        hint="Shows what each score is made of."
        checked={values.explain}
        onChange={explain => {
          change({ explain })
          // The option changes the results on screen, so they update without another search by hand.
          if (given.query !== '') onSearch({ ...given, explain })
        }}
      />
    </Form>
  )
}
