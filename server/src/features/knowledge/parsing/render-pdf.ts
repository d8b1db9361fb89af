/** The pages of a PDF as pictures, for text recognition. */
import { LiteParse } from '@llamaindex/liteparse'
import type { RenderedPage } from './children/child-process.ts'
import { ParseFailure } from './failure.ts'
import { pdfFailure, withoutJunk } from './pdf.ts'

/** What programs for text recognition are made for. A page of A4 takes 35 MB meanwhile. */
const dotsPerInch = 300
const maxPages = 10_000

/** One page at a time, each rendered when it is asked for. Throws `ParseFailure`. */
export async function* renderPages(path: string): AsyncGenerator<RenderedPage> {
  const parser = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    numWorkers: 1,
    outputFormat: 'json',
    imageMode: 'off',
    continueOnPageError: true,
    extractScreenshots: true,
    dpi: dotsPerInch,
    maxPages,
  })
  try {
    const batches = parser.parseBatches(await withoutJunk(path), { batchSize: 1 })
    for await (const { startPage, totalPages, result } of batches) {
      const [screenshot] = result.screenshots
      const isEmpty = screenshot === undefined || screenshot.isSolidFill
      const picture = isEmpty ? null : screenshot.imageBuffer.toString('base64')
      yield { page: startPage, pageCount: totalPages, picture }
    }
  } catch (error) {
    throw error instanceof ParseFailure ? error : pdfFailure(error)
  }
}
