/**
 * Annual reports that are made up, always the same ones, with questions whose pages are known. Many reports are nearly
 * alike: the company and the year stand in the file's name and on few pages, and each figure on one page or two.
 */
import { createRandom } from './corpus.ts'

export type Report = { name: string; pages: string[] }
export type Question = {
  id: string
  text: string
  report: string
  /** From 1: how relevant each page is that answers; no other does. */
  pages: ReadonlyMap<number, number>
}
export type Reports = { reports: Report[]; questions: Question[] }

export const sizes = {
  full: { companies: 40, years: 8, pages: { from: 60, to: 120 }, questions: 200 },
  small: { companies: 12, years: 4, pages: { from: 26, to: 36 }, questions: 60 },
} as const
export type Size = keyof typeof sizes

const lastYear = 2023
const sentencesInParagraph = 3
const sentencesOnPage = { from: 12, to: 24 }

export function makeReports(size: Size): Reports {
  const { companies, years, pages, questions } = sizes[size]
  const draw = createDraw()
  const made = companyNames.slice(0, companies).flatMap((company, place) =>
    Array.from({ length: years }, (_, back) => {
      const industry = industries[place % industries.length] ?? ''
      return makeReport(draw, { company, industry, year: lastYear - back, style: place }, pages)
    }),
  )
  const asked = Array.from({ length: questions }, (_, place): Question => {
    const report = made[Math.floor((place * made.length) / questions)] ?? made[0]
    if (report === undefined) throw new Error('There is no report to ask about')
    const item = draw.of(items)
    const text = draw.of(forms)(report.company, report.year, item.asked ?? item.name)
    return {
      id: `report-${place + 1}`,
      text,
      report: report.name,
      pages: report.facts.get(item.name) ?? new Map(),
    }
  })
  return { reports: made.map(({ name, pages: texts }) => ({ name, pages: texts })), questions: asked }
}

type Told = { company: string; industry: string; year: number; style: number }
type Made = Report & Told & { facts: Map<string, Map<number, number>> }

function makeReport(draw: Draw, told: Told, { from, to }: { from: number; to: number }): Made {
  const count = draw.whole(from, to)
  const facts = new Map(items.map(({ name }) => [name, new Map<number, number>()]))
  const sections = Array.from({ length: count }, (_, page) => sectionAt(page, count))
  const pages = sections.map(section => [
    ...(draw.chance(0.2) ? [`${told.company}, Inc. and Subsidiaries`] : []),
    section.title,
    ...Array.from(
      { length: draw.whole(sentencesOnPage.from, sentencesOnPage.to) / sentencesInParagraph },
      () =>
        Array.from({ length: sentencesInParagraph }, () =>
          sentence(draw, told, draw.of(section.sentences)),
        ).join(' '),
    ),
  ])
  const tell = (item: string, page: number, relevance: number, text: string): void => {
    pages[page]?.splice(draw.whole(2, 6), 0, text)
    facts.get(item)?.set(page + 1, relevance)
  }
  const placesOf = (title: string) => sections.flatMap((own, page) => (own.title === title ? [page] : []))
  for (const { name, section, told: form } of items)
    tell(name, draw.of(placesOf(section)), 2, form(told.year, amount(draw), amount(draw)))
  const [summary = 0] = placesOf('Selected Financial Data')
  for (const { name } of items.slice(0, inSummary)) {
    const figures = Array.from({ length: 5 }, (_, back) => `${told.year - back}: $${amount(draw)}`)
    tell(name, summary, 1, `${name} (in millions): ${figures.join(', ')}.`)
  }
  pages[0]?.unshift(
    `${told.company}, Inc.`,
    `Annual report for the fiscal year ended December 31, ${told.year}.`,
  )
  return {
    ...told,
    name: nameOf(told),
    pages: pages.map(lines => lines.join('\n\n')),
    facts,
  }
}

/** How companies name their files; each keeps to one way. */
function nameOf({ company, year, style }: Told): string {
  const joined = company.replaceAll(/[^A-Za-z0-9]/g, '')
  const dashed = company.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const names = [
    `${dashed}_fy${year}_annual-report.pdf`,
    `${joined.toUpperCase()}_${year}_10K.pdf`,
    `${company} - Annual Report ${year}.pdf`,
    `${joined}AnnualReport-FY${String(year).slice(2)}_v2.1_${year}.pdf`,
  ]
  return names[style % names.length] ?? ''
}

const sectionAt = (page: number, count: number): Section => {
  const place = Math.floor((page * sections.length) / count)
  return sections[place] ?? business
}

function sentence(draw: Draw, { industry, year }: Told, text: string): string {
  const parts: Record<string, () => string> = {
    y: () => String(year - draw.whole(0, 2)),
    n: () => `$${amount(draw)} million`,
    p: () => `${draw.whole(1, 40)}.${draw.whole(0, 9)}%`,
    i: () => industry,
    r: () => draw.of(regions),
    d: () => draw.of(drivers),
    m: () => draw.of(items).name,
  }
  return text.replaceAll(/\{(\w)\}/g, (_, key: string) => parts[key]?.() ?? '')
}

const amount = (draw: Draw): string => draw.whole(10, 9_999).toLocaleString('en-US')

type Draw = {
  whole(from: number, to: number): number
  of<Value>(values: readonly Value[]): Value
  chance(share: number): boolean
}

function createDraw(): Draw {
  const random = createRandom()
  const whole: Draw['whole'] = (from, to) => from + Math.floor(random() * (to - from + 1))
  return {
    whole,
    of: values => {
      const value = values[whole(0, values.length - 1)]
      if (value === undefined) throw new Error('There is nothing to draw from')
      return value
    },
    chance: share => random() < share,
  }
}

const forms: readonly ((company: string, year: number, item: string) => string)[] = [
  (company, year, item) => `${company} ${item} ${year}`,
  (company, year, item) => `What was the ${item} of ${company} in fiscal ${year}?`,
  (company, year, item) => `How much ${item} did ${company} report for FY${year}?`,
  (company, year, item) =>
    `What is the FY${year} ${item} (in USD millions) for ${company}? Give a response to the question by relying on the details shown in the annual report, and state what it was compared with the year before.`,
  (company, year, item) =>
    `You are an analyst with access only to the filings of ${company}. Based on the information provided primarily in the notes and the management discussion, what is the ${item} for the year ${year}?`,
  (company, year, item) => `According to ${company}'s FY ${year} filing, what changed in ${item} and why?`,
]

const companyNames = [
  ...[
    'Acme Forge',
    'Best Harbor',
    'Northwind',
    'Blue Ridge Foods',
    'Calder & Moss',
    '4Peaks',
    'Delta Orchard',
  ],
  ...['Eastgate', 'Fern Hill Energy', 'Granite Works', 'Halcyon', 'Iron Bay', 'Juniper Lane', 'Kestrel Air'],
  ...[
    'Lumen Field',
    'Marlow',
    'Nordic Pine',
    'Oak Street Bank',
    'Pioneer Pump',
    'Quarry Stone',
    'Redwood Health',
  ],
  ...[
    'Silver Creek',
    'Tidewater',
    'Umber Textiles',
    'Vista Cable',
    'Westlake Tools',
    'Xenon Optics',
    'Yarrow',
  ],
  ...[
    'Zephyr Motors',
    'Amber Grid',
    'Bright Leaf',
    'Copper Canyon',
    'Dune Logistics',
    'Elm Court',
    'Falcon Rail',
  ],
  ...['General Harvest', 'High Plains', 'Island Water', 'Jade Chemical', 'Keystone Glass'],
]

const industries = ['retail stores', 'steel', 'software', 'packaged foods', 'power', 'aircraft', 'insurance']
const regions = ['North America', 'Europe', 'Asia Pacific', 'Latin America', 'the domestic segment']
const drivers = [
  ...[
    'higher volume',
    'lower prices',
    'foreign exchange',
    'the acquisition of a competitor',
    'raw material costs',
  ],
  ...['labor shortages', 'a favorable product mix', 'weaker demand', 'restructuring', 'new stores'],
]

type Section = { title: string; sentences: readonly string[] }

const business: Section = {
  title: 'Business',
  sentences: [
    'We are a leading provider of {i} and serve customers in {r} and {r}.',
    'Competition in {i} is intense, and depends on price, quality and service.',
    'The Company had revenue of {n} from {i} in {r} in {y}.',
    'Our strategy is to grow {i} in {r} and to improve {m}.',
    'We buy raw materials from many suppliers, and none of them accounts for more than {p} of purchases.',
    'About {p} of our employees in {r} are represented by unions; we consider relations with them good.',
    'Backlog at year end was {n}, most of which we expect to ship within twelve months.',
    'Our principal executive offices are leased, and our plants in {r} are owned.',
    'Our quality program covers design, procurement, production, delivery and service of {i}.',
    'Regulators in {r} inspect our sites, and we hold the permits that we need.',
    'We own trademarks and patents that we consider important to our business as a whole.',
    'Seasonality affects our {i}: the fourth quarter has the highest revenue of the year.',
  ],
}

const results: Section = {
  title: "Management's Discussion and Analysis",
  sentences: [
    'Revenue in {r} increased {p} in {y} compared with {y}, due to {d}.',
    'Gross margin was {p} in {y} and {p} in {y}, primarily because of {d}.',
    'Operating income of the segment decreased by {n} as a result of {d} and {d}.',
    'Cash provided by operating activities was {n} in fiscal {y}, compared with {n} in fiscal {y}.',
    'We expect {m} to vary with {d} in the next fiscal year.',
    'Selling and administrative costs were {p} of revenue in {y}, reflecting {d}.',
    'Interest was {n} in {y}, as the average balance of borrowings fell.',
    'Currency translation reduced earnings in {r} by {n} in {y}.',
    'Our credit facility of {n} was unused at the end of fiscal {y}.',
    'Comparable volume in {r} was up {p}, and average prices were down {p}.',
    'A change of {p} in the discount rate would change earnings by {n}.',
    'Corporate costs not allocated to segments were {n} in {y} and {n} in {y}.',
  ],
}

const risks: Section = {
  title: 'Risk Factors',
  sentences: [
    'A decline in {i} could have a material adverse effect on our business.',
    'We may not be able to offset {d}, which would harm our results of operations in {r}.',
    'Changes in laws of {r} could increase our costs.',
    'Tariffs and sanctions may limit what we sell in {r}.',
    'Customers may demand terms that we cannot accept, or turn to a competitor in {r}.',
    'Severe weather may close our sites, and insurance may not cover all losses.',
    'We depend on few suppliers for some parts, and a shortage would delay deliveries.',
    'The loss of key managers could harm our ability to carry out our strategy.',
    'Covenants of our debt restrict how we operate, and a breach would allow lenders to demand payment.',
    'Our information systems may be interrupted, and data of customers and employees may be lost.',
    'If estimates of {m} prove wrong, our financial condition may suffer.',
    'Litigation is costly, and its outcome in any fiscal year cannot be predicted.',
  ],
}

const notes: Section = {
  title: 'Notes to Consolidated Financial Statements',
  sentences: [
    'The Company accounts for {m} under the applicable standard, adopted in {y}.',
    'As of December 31, {y}, the balance was {n}, compared with {n} as of December 31, {y}.',
    'Deferred taxes of {n} arise from differences in the timing of deductions.',
    'Derivatives with a notional amount of {n} hedge exposure to {d}.',
    'Depreciation is computed by the straight-line method over the useful lives of the assets.',
    'Accumulated other comprehensive loss was {n} at the end of {y}.',
    'Two customers in {r} accounted for {p} and {p} of receivables in {y}.',
    'Claims are pending in {r}; the Company believes that it has meritorious defenses.',
    'Amounts are in millions, except per share data and where otherwise noted.',
    'The fair value of the assets was determined by discounted cash flows at a rate of {p}.',
    'During {y} the Company recorded {n} related to {d} in {r}.',
    'Future minimum payments are {n} in {y} and {n} thereafter.',
  ],
}

const summary: Section = {
  title: 'Selected Financial Data',
  sentences: ['The data should be read together with the statements and notes of {y}.', ...notes.sentences],
}

const sections: readonly Section[] = [
  ...[business, business, risks, risks, summary, results, results, results],
  ...[notes, notes, notes, notes, notes],
]

/** So many of the items stand in the table of five years as well. */
const inSummary = 5

type Item = {
  name: string
  /** As a question calls it, where that differs. */
  asked?: string
  section: string
  told: (year: number, now: string, before: string) => string
}

const inResults = results.title
const inNotes = notes.title

const items: readonly Item[] = [
  {
    name: 'capital expenditures',
    asked: 'capital expenditure amount',
    section: inResults,
    told: (year, now, before) =>
      `Capital expenditures were $${now} million in ${year} and $${before} million in ${year - 1}.`,
  },
  {
    name: 'net sales',
    section: inResults,
    told: (year, now, before) =>
      `Consolidated net sales for ${year} were $${now} million, against $${before} million the year before.`,
  },
  {
    name: 'research and development expense',
    section: inResults,
    told: (year, now, before) =>
      `We spent $${now} million on research and development in ${year} ($${before} million in ${year - 1}).`,
  },
  {
    name: 'dividends paid',
    section: inResults,
    told: (year, now, before) =>
      `Dividends paid to shareholders were $${now} million in ${year} and $${before} million in ${year - 1}.`,
  },
  {
    name: 'inventory turnover',
    section: inResults,
    told: (year, now, before) =>
      `Inventories of $${now} million turned over more slowly in ${year} than those of $${before} million before.`,
  },
  {
    name: 'effective tax rate',
    section: inNotes,
    told: (year, now, before) =>
      `The effective income tax rate for ${year} reflects a benefit of $${now} million and a charge of $${before} million.`,
  },
  {
    name: 'goodwill impairment',
    section: inNotes,
    told: (year, now, before) =>
      `In the fourth quarter of ${year} an impairment of goodwill of $${now} million was recorded; $${before} million remain.`,
  },
  {
    name: 'share repurchases',
    asked: 'repurchase of shares',
    section: inNotes,
    told: (year, now, before) =>
      `The Company repurchased shares of common stock for $${now} million in ${year}; $${before} million are authorized.`,
  },
  {
    name: 'pension obligations',
    section: inNotes,
    told: (year, now, before) =>
      `The projected benefit obligation of the pension plans was $${now} million at the end of ${year}, $${before} million before.`,
  },
  {
    name: 'operating lease liabilities',
    section: inNotes,
    told: (year, now, before) =>
      `Operating lease liabilities were $${now} million and right-of-use assets $${before} million at the end of ${year}.`,
  },
  {
    name: 'stock-based compensation',
    section: inNotes,
    told: (year, now, before) =>
      `Compensation expense for stock awards was $${now} million in ${year}, with $${before} million not yet recognized.`,
  },
  {
    name: 'warranty reserve',
    asked: 'reserve for product warranties',
    section: inNotes,
    told: (year, now, before) =>
      `The accrued warranty reserve rose to $${now} million in ${year} after claims of $${before} million.`,
  },
  {
    name: 'allowance for doubtful accounts',
    section: inNotes,
    told: (year, now, before) =>
      `Receivables are net of an allowance for doubtful accounts of $${now} million in ${year} and $${before} million in ${year - 1}.`,
  },
  {
    name: 'senior notes due',
    asked: 'outstanding senior notes',
    section: inNotes,
    told: (year, now, before) =>
      `The Company issued senior notes of $${now} million in ${year} and redeemed $${before} million of earlier notes.`,
  },
]
