/** Uploads the made-up reports and asks their questions, through the public API alone. */
import { createCall, createCollection, uploadUntilReady } from './call.ts'
import { eachAtOnce } from './load.ts'
import { evaluate, type Figures } from './metrics.ts'
import { makePdfOfTexts } from './pdf-file.ts'
import { uploadsAtOnce } from './quality.ts'
import type { Reports } from './reports.ts'

export type ReportsQuality = {
  /** Of pages: a page is what is judged. */
  figures: Figures
  /** Parts of the questions. */
  rightReportFirst: number
  rightPageFirst: number
  rightPageInTen: number
  pageMs: number[]
  /** Questions whose page is not among the first ten results, with what came first. */
  misses: string[]
}

const searched = 100
const pageSize = 50

export async function uploadReports(url: string, key: string, { reports }: Reports): Promise<string> {
  const call = createCall(url, key)
  const collectionId = await createCollection(call, `reports ${new Date().toISOString()}`)
  await eachAtOnce(reports, uploadsAtOnce, ({ name, pages }) =>
    uploadUntilReady(call, collectionId, { name, content: makePdfOfTexts(pages) }),
  )
  return collectionId
}

export async function measureReports(
  url: string,
  key: string,
  collectionId: string,
  { questions }: Reports,
): Promise<ReportsQuality> {
  const call = createCall(url, key)
  const rankings = new Map<string, string[]>()
  const misses: string[] = []
  const pageMs: number[] = []
  const count = { report: 0, first: 0, inTen: 0 }
  for (const { id, text, report, pages } of questions) {
    const found: Found[] = []
    for (let page = 1; page <= searched / pageSize; page++) {
      const parameters = new URLSearchParams({ query: text, collectionId, page: String(page) })
      parameters.set('pageSize', String(pageSize))
      const startedAt = performance.now()
      const { data } = await call('GET', `/knowledge/search?${parameters}`)
      pageMs.push(performance.now() - startedAt)
      found.push(...(data as Found[]))
    }
    const isRight = ({ name, location }: Found): boolean => name === report && pages.has(location.page ?? 0)
    if (found[0]?.name === report) count.report++
    if (found[0] !== undefined && isRight(found[0])) count.first++
    if (found.slice(0, 10).some(isRight)) count.inTen++
    else {
      const best = found.slice(0, 3).map(({ name, location }) => `${name} p. ${location.page}`)
      misses.push(`${text} → ${best.join(', ')}; right: ${report} p. ${[...pages.keys()].join(', ')}`)
    }
    rankings.set(id, [...new Set(found.map(({ name, location }) => `${name} ${location.page}`))])
  }
  const judgements = new Map(
    questions.map(({ id, report, pages }) => [
      id,
      new Map(Array.from(pages, ([page, relevance]) => [`${report} ${page}`, relevance])),
    ]),
  )
  return {
    figures: evaluate(rankings, judgements),
    rightReportFirst: count.report / questions.length,
    rightPageFirst: count.first / questions.length,
    rightPageInTen: count.inTen / questions.length,
    pageMs,
    misses,
  }
}

type Found = { name: string; location: { page: number | null } }
