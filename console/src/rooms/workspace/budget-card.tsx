/** What the runs of a month may cost. */
import { useState } from 'react'
import { fieldErrorsOf, isToldBeside } from '../../api/explain-error.ts'
import { useApiMutation, useApiQuery } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { formatDate, formatUsd } from '../../ui/format.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import { Card } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useToasts } from '../../ui/toast.tsx'

type Props = { limit: number | null; mayWrite: boolean }

export function BudgetCard({ limit, mayWrite }: Props) {
  return (
    <Card
      title="Monthly budget"
      description="What the runs of one environment may cost in a calendar month. Beyond it no model is called."
    >
      <div className="flex flex-col gap-5">
        <Spent limit={limit} />
        {mayWrite ? (
          <BudgetForm limit={limit} />
        ) : (
          limit === null && <p className="text-muted">No limit is set.</p>
        )}
      </div>
    </Card>
  )
}

function Spent({ limit }: { limit: number | null }) {
  const { data } = useApiQuery(['usage'], (atrium, options) => atrium.workspace.usage(options), {
    enabled: useMay('usage:read'),
  })
  if (data === undefined) return limit === null ? null : <p>{formatUsd(limit)} a month</p>
  const { costUsd, resetsAt } = data.month
  return (
    <div className="flex flex-col gap-1.5">
      <p>
        <span className="font-medium tabular-nums">{formatUsd(costUsd.used)}</span>
        <span className="text-muted">
          {limit === null ? ' spent this month' : ` of ${formatUsd(limit)} spent`}; resets on{' '}
          {formatDate(resetsAt)}
        </span>
      </p>
      {limit !== null && (
        <Progress label="Spent of the monthly budget" value={limit === 0 ? 1 : costUsd.used / limit} />
      )}
    </div>
  )
}

const toText = (limit: number | null): string => (limit === null ? '' : String(limit))

function BudgetForm({ limit }: { limit: number | null }) {
  const toasts = useToasts()
  const [text, setText] = useState(toText(limit))
  const { mutate, error, isPending } = useApiMutation(
    (atrium, monthlyCostLimitUsd: number | null) => atrium.workspace.update({ monthlyCostLimitUsd }),
    { changes: [['workspace'], ['usage']] },
  )
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        mutate(text.trim() === '' ? null : Number(text), {
          onSuccess: ({ monthlyCostLimitUsd: set }) =>
            toasts.show({
              title: set === null ? 'There is no limit now' : `The limit is ${formatUsd(set)} now`,
            }),
        })
      }}
    >
      <Field
        label="US dollars a month"
        hint="Leave it empty for no limit. With 0, only what costs nothing is begun."
        error={fieldErrorsOf(error).monthlyCostLimitUsd}
      >
        <Input
          type="number"
          inputMode="decimal"
          min={0}
          max={1_000_000_000}
          step="any"
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
      </Field>
      {error !== null && !isToldBeside(['monthlyCostLimitUsd'], error) && <ErrorNotice error={error} />}
      <div>
        <Button type="submit" variant="primary" busy={isPending} disabled={text.trim() === toText(limit)}>
          Save the budget
        </Button>
      </div>
    </form>
  )
}
