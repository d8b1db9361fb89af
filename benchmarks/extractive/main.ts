/** Prints how well the extractive model does: `node benchmarks/extractive/main.ts`. */
import { measureExtractive } from '../../server/src/testing/knowledge/measure-extractive.ts'
import { startTestApp } from '../../server/src/testing/test-app.ts'

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
} finally {
  await app.close()
}
