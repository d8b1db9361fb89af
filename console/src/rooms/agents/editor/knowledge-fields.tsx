/** Which documents the agent looks in. */
import { useState } from 'react'
import { useMay } from '../../../api/scope.tsx'
import { Choices } from '../../../ui/choices.tsx'
import { Card } from '../../../ui/page.tsx'
import type { SectionProps } from './draft.ts'
import { IdChoices } from './id-choices.tsx'

export function KnowledgeFields({ draft, onChange, errors }: SectionProps) {
  const mayRead = useMay('knowledge:read')
  const [isNarrow, setIsNarrow] = useState(draft.collectionIds.length > 0)
  const isShown = isNarrow || draft.collectionIds.length > 0
  return (
    <Card title="Knowledge" description="It matters where the agent has the tool search_knowledge.">
      <div className="flex flex-col gap-5">
        <Choices
          legend="It searches"
          value={isShown ? 'some' : 'all'}
          onChange={choice => {
            setIsNarrow(choice === 'some')
            if (choice === 'all') onChange({ collectionIds: [] })
          }}
          choices={[
            {
              value: 'all',
              label: 'All collections',
              hint: 'All that the person or key running it can reach.',
            },
            {
              value: 'some',
              label: 'Only some',
              hint: 'Of those, the ones that the person or key running it can reach.',
            },
          ]}
        />
        {isShown && mayRead && (
          <IdChoices
            legend="Collections"
            of="collections"
            ids={draft.collectionIds}
            onChange={collectionIds => onChange({ collectionIds })}
            error={errors.collectionIds}
            read={(atrium, query, options) => atrium.knowledge.collections.list(query, options).page()}
          />
        )}
      </div>
    </Card>
  )
}
