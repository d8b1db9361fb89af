/** Use over time: a bar for each day, and who has used it. */
import { useMemo } from 'react'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useSearchValue } from '../../api/search-values.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ByWhom } from './by-whom.tsx'
import { DayChart } from './day-chart.tsx'
import { measures } from './measures.ts'
import { lastDays, ranges } from './time-range.ts'

/** Each day has one row at most; a page holds all of them. */
const mostDays = 100

export function OverTime() {
  const [rangeText, setRange] = useSearchValue('range', '30')
  const [measureText, setMeasure] = useSearchValue('measure', 'requests')
  const range = ranges.find(({ value }) => value === rangeText) ?? ranges[1]
  const measure = measures.find(({ value }) => value === measureText) ?? measures[0]
  // A page left open past midnight shows the new day when the person next changes the range.
  const days = useMemo(() => lastDays(range.days, Date.now()), [range.days])
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const history = useApiQuery(['usage', 'days', { from, to }], (atrium, options) =>
    atrium.usage.history({ from, to, pageSize: mostDays }, options).page(),
  )
  return (
    <>
      <Card
        title={`${measure.label} by day`}
        description="Days are those of UTC."
        actions={
          <div className="flex flex-wrap gap-2">
            <Field label="What is counted" labelHidden>
              <Select value={measure.value} onChange={event => setMeasure(event.currentTarget.value)}>
                {measures.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Time" labelHidden>
              <Select value={range.value} onChange={event => setRange(event.currentTarget.value)}>
                {ranges.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
        }
      >
        <Loaded query={history}>
          {({ items }) => <DayChart days={days} rows={items} measure={measure} />}
        </Loaded>
      </Card>
      <ByWhom from={from} to={to} />
    </>
  )
}
