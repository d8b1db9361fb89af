/**
 * Questions about the made-up annual reports: whether the extractive model cites the page that answers. One half is
 * learned on, and the other is what counts. Each report ends with a statement of cash flows, which is a table.
 */
import { type Call, createCall } from '../call.ts'
import { createRandom } from '../corpus.ts'
import { makeReports, type Report } from '../reports.ts'
import { uploadReports } from '../reports-quality.ts'

/** What became of the questions of one kind; all but the first and the last cite a passage. */
export type Outcomes = { right: number; doubted: number; wrong: number; declined: number; lines: string[] }

type Asked = {
  kind: 'text' | 'table' | 'none'
  text: string
  /** None where nothing answers. */
  report?: string
  pages?: ReadonlySet<number>
  /** What the answer has to name. */
  figure?: string
}

/** By `KIND, HALF`. */
export async function measureOnReports(
  url: string,
  key: string,
  doubtful: string,
): Promise<Map<string, Outcomes>> {
  const { reports, questions } = makeReports('small')
  const random = createRandom()
  const stated = reports.map(report => withStatement(report, random))
  const call = createCall(url, key)
  const collectionId = await uploadReports(url, key, { reports: stated, questions: [] })
  const names = await readNames(call, collectionId)
  const agent = await call('POST', '/agents', {
    json: { name: 'Reports', model: 'extractive', collectionIds: [collectionId] },
  })
  const asked: Asked[] = [
    ...questions.map(
      ({ text, report, pages }): Asked => ({ kind: 'text', text, report, pages: new Set(pages.keys()) }),
    ),
    ...stated.flatMap(({ asked: own }, place) => (place % 2 === 0 ? own : [])),
    ...unanswered.map((text): Asked => ({ kind: 'none', text })),
  ]
  const measured = new Map<string, Outcomes>()
  for (const [place, question] of asked.entries()) {
    const half = `${question.kind}, ${place % 2 === 0 ? 'learned on' : 'kept apart'}`
    const outcomes = measured.get(half) ?? { right: 0, doubted: 0, wrong: 0, declined: 0, lines: [] }
    measured.set(half, outcomes)
    const { data } = await call('POST', `/agents/${(agent.data as { id: string }).id}/run`, {
      json: { prompt: question.text },
    })
    const { output, citations } = data as { output: string | null; citations: Citation[] }
    if (output === null) throw new Error(`${question.text}: ${JSON.stringify(data)}`)
    const outcome = outcomeOf(question, output.startsWith(doubtful), citations, names)
    outcomes[outcome]++
    if (outcome !== 'right')
      outcomes.lines.push(
        `${outcome}: ${question.text} → ${output} [${question.report} ${[...(question.pages ?? [])]}]`,
      )
  }
  return measured
}

type Citation = { documentId: string; page: number | null; quote: string }

/** Right is what cites the page, whether it is sure or not; wrong is what cites another one without saying so. */
function outcomeOf(
  { report, pages, figure = '' }: Asked,
  isDoubtful: boolean,
  citations: readonly Citation[],
  names: ReadonlyMap<string, string>,
): 'right' | 'doubted' | 'wrong' | 'declined' {
  if (citations.length === 0) return report === undefined ? 'right' : 'declined'
  const isRight = citations.some(
    ({ documentId, page, quote }) =>
      names.get(documentId) === report && pages?.has(page ?? 0) === true && quote.includes(figure),
  )
  if (isRight) return 'right'
  return isDoubtful ? 'doubted' : 'wrong'
}

async function readNames(call: Call, collectionId: string): Promise<Map<string, string>> {
  const { data } = await call('GET', `/knowledge/documents?collectionId=${collectionId}&pageSize=100`)
  return new Map((data as { id: string; name: string }[]).map(({ id, name }) => [id, name]))
}

/** The report with a page more, and a question that this page answers. */
function withStatement(report: Report, random: () => number): Report & { asked: Asked[] } {
  const [heading = ''] = report.pages[0]?.split(', Inc.') ?? []
  const year = Number(/ended December 31, (\d{4})/.exec(report.pages[0] ?? '')?.[1])
  const amount = (): string => {
    const figure = Math.floor(10 + random() * 9_000).toLocaleString('en-US')
    return random() < 0.4 ? `(${figure})` : figure
  }
  const rows = items.map(([label, asked]) => ({ label, asked, figures: [amount(), amount(), amount()] }))
  const table = [
    ['Years ended December 31 (in millions)', year, year - 1, year - 2],
    ...rows.map(({ label, figures }) => [label, ...figures]),
  ]
  const lines = table.map(cells => cells.join('\t'))
  const chosen = rows[Math.floor(random() * rows.length)]
  const form = forms[Math.floor(random() * forms.length)]
  const pages = new Set([report.pages.length + 1])
  return {
    name: report.name,
    pages: [
      ...report.pages,
      `Consolidated Statement of Cash Flows\n${lines.join('\n')}\nThe notes are an integral part of this statement.`,
    ],
    asked:
      chosen === undefined || form === undefined
        ? []
        : [
            {
              kind: 'table',
              text: form(heading, year, chosen.asked),
              report: report.name,
              pages,
              figure: chosen.figures[0] ?? '',
            },
          ],
  }
}

/** As the table has it, and as it is asked for. */
const items = [
  ['Net income including noncontrolling interest', 'net income including noncontrolling interest'],
  ['Depreciation and amortization', 'depreciation and amortization'],
  [
    'Purchases of property, plant and equipment',
    'amount spent on purchases of property, plant and equipment',
  ],
  ['Proceeds from issuance of long-term debt', 'proceeds from the issuance of long-term debt'],
  ['Change in accounts payable', 'change in accounts payable'],
  ['Cash and cash equivalents at end of period', 'cash and cash equivalents'],
  ['Acquisitions, net of cash acquired', 'cash spent on acquisitions'],
] as const

const forms: readonly ((company: string, year: number, item: string) => string)[] = [
  (company, year, item) => `What is the FY${year} ${item} of ${company} (in USD millions)?`,
  (company, year, item) => `How much was the ${item} of ${company} in ${year}?`,
  (company, year, item) =>
    `Using the statement of cash flows of ${company}, what was the ${item} in fiscal ${year}? Answer in USD millions.`,
]

const unanswered = [
  'What were the capital expenditures of Acme Forge in 2031?',
  'How much did Pinewood Dairy spend on research and development in 2022?',
  'How many patents did Best Harbor file in FY2021?',
  'Who is the chief executive of Blue Ridge Foods?',
  'What is the FY2022 carbon footprint of Northwind (in tonnes)?',
  'When was Calder & Moss founded?',
  'How many stores did Delta Orchard open in fiscal 2023?',
  'What was the share price of Eastgate at the end of 2020?',
  'Which auditor signed the accounts of Halcyon for 2021?',
  'What is the net sales of Granite Works for FY1987?',
  'How many employees did Iron Bay have in 2022?',
  'What did the chairman of 4Peaks earn in 2023?',
  'How large is the fleet of ships of Fern Hill Energy?',
  'What was the goodwill impairment of Zebra Holdings in 2021?',
  'Which city is the headquarters of Acme Forge in?',
  'What dividend did Best Harbor promise for 2035?',
  'Why did the treasurer of Blue Ridge Foods resign?',
  'What interest rate did the Federal Reserve set in 2022?',
  'How much did Eastgate donate to political campaigns in 2021?',
  'What was the name of the law firm that advised Halcyon on its merger?',
]
