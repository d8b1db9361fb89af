/** A chart as what it says: its titles, and its series as a table. */
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createDrawingVisitor } from './drawing.ts'
import { createFlow, createRows } from './flow.ts'
import { formatNumber } from './number-format.ts'
import { readXml } from './xml.ts'

/** Values by their index, as the chart keeps them. */
type Values = Map<number, string>
type Series = { name: string; categories: Values; values: Values }

export async function writeChart(pieces: AsyncIterable<Buffer>, writer: TextWriter): Promise<void> {
  const titles = createDrawingVisitor(createFlow(writer), new Map())
  const all: Series[] = []
  let part: 'name' | 'categories' | 'values' | null = null
  let index = 0
  let format = ''
  let text: string | null = null

  const keep = (series: Series, value: string): void => {
    if (part === 'name') series.name += value
    else if (part !== null) {
      const shown = part === 'values' || format !== '' ? formatNumber(value, format) : value
      const before = series[part].get(index)
      // A category of several levels comes from the inner one outwards.
      series[part].set(index, before === undefined ? shown : `${shown} ${before}`)
    }
  }

  await readXml(pieces, {
    open(name, attributes) {
      const series = all.at(-1)
      if (name === 'c:ser') all.push({ name: '', categories: new Map(), values: new Map() })
      else if (name === 'c:tx' && series !== undefined) part = 'name'
      else if (name === 'c:cat' || name === 'c:xVal') part = 'categories'
      else if (name === 'c:val' || name === 'c:yVal') part = 'values'
      else if (name === 'c:strCache' || name === 'c:numCache') format = ''
      else if (name === 'c:pt') index = Number(attributes.idx ?? 0)
      else if (name === 'c:v' || name === 'c:formatCode') text = ''
      return titles.open(name, attributes)
    },
    close(name) {
      const series = all.at(-1)
      if (name === 'c:formatCode') format = text ?? ''
      else if (name === 'c:v' && series !== undefined) keep(series, text ?? '')
      if (name === 'c:v' || name === 'c:formatCode') text = null
      if (seriesParts.has(name)) part = null
      titles.close(name)
    },
    text(piece) {
      if (text !== null) text += piece
      titles.text(piece)
    },
  })
  writer.add('table', tableOf(all))
}

const seriesParts = new Set(['c:tx', 'c:cat', 'c:xVal', 'c:val', 'c:yVal'])

function tableOf(all: readonly Series[]): string {
  const rows = createRows()
  rows.add(['', ...all.map(({ name }) => onOneLine(name))])
  const indexes = new Set(all.flatMap(({ values, categories }) => [...categories.keys(), ...values.keys()]))
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const category = all.map(({ categories }) => categories.get(index)).find(found => found !== undefined)
    rows.add([category ?? '', ...all.map(({ values }) => values.get(index) ?? '')].map(onOneLine))
  }
  return rows.text()
}
