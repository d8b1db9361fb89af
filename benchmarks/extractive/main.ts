/** Prints how well the extractive model does, on the demo documents and on made-up reports: `node benchmarks/extractive/main.ts`. */
import { doubtful } from '../../server/src/platform/models/extractive/model.ts'
import { measureExtractive } from '../../server/src/testing/knowledge/measure-extractive.ts'
import { startTestApp } from '../../server/src/testing/test-app.ts'
import { measureOnReports } from './reports.ts'

const files = ['questions.json', 'held-out.json', 'fresh.json']
const app = await startTestApp()
try {
  const measured = await measureExtractive(app, files)
  for (const [index, figures] of measured.entries()) {
    console.log(
      `${files[index]}: right document ${figures.rightDocument}/${figures.answerable}, ` +
        `right sentence ${figures.rightAnswer}/${figures.answerable}, ` +
        `declined ${figures.declined}/${figures.unanswerable}, ` +
        `exact quotes ${figures.exactQuotes}/${figures.citations}`,
    )
    for (const miss of figures.misses) console.log(`  ${miss.replaceAll('\n', ' / ')}`)
  }
  const onReports = await measureOnReports(await app.listen(), app.liveKey.key, doubtful)
  for (const [questions, { right, doubted, wrong, declined, lines }] of onReports) {
    console.log(
      `reports, ${questions}: right ${right}, wrong but not sure ${doubted}, wrong ${wrong}, declined ${declined}`,
    )
    for (const line of lines) console.log(`  ${line.replaceAll('\n', ' / ')}`)
  }
} finally {
  await app.close()
}
