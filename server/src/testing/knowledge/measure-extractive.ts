/** Measures the extractive model through the API: does it cite the right document, word for word, and is it silent when it should be? */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDemoDocuments } from '../../features/agents/demo/demo.ts'
import type { Run } from '../../features/agents/records/run-schemas.ts'
import type { TestApp } from '../test-app.ts'

type Questions = {
  answerable: { question: string; document: string; answer: string }[]
  unanswerable: string[]
}

export type Measured = {
  answerable: number
  /** Runs whose first citation is of the right document. */
  rightDocument: number
  /** Runs that quote the text which holds the answer. */
  rightAnswer: number
  unanswerable: number
  declined: number
  citations: number
  /** Citations whose quote is the document's text at their offsets. */
  exactQuotes: number
  /** One line for each question that went wrong. */
  misses: string[]
}

const questionFolder = join(import.meta.dirname, '../../../../benchmarks/extractive')

const readQuestions = (file: string): Questions =>
  JSON.parse(readFileSync(join(questionFolder, file), 'utf8')) as Questions

/** Uploads the demo documents into a collection of their own and asks an agent that is bound to it. */
export async function measureExtractive(app: TestApp, files: readonly string[]): Promise<Measured[]> {
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Tidewater' } })
  const names = await uploadAll(app, collection.body.data.id)
  const agent = await app.request('POST', '/agents', {
    body: { name: 'Measured', model: 'extractive', collectionIds: [collection.body.data.id] },
  })
  const ask = async (prompt: string): Promise<Run> => {
    const { body } = await app.request('POST', `/agents/${agent.body.data.id}/run`, { body: { prompt } })
    if (body.data?.status !== 'succeeded') throw new Error(`${prompt}: ${JSON.stringify(body)}`)
    return body.data
  }
  const measured: Measured[] = []
  for (const file of files) measured.push(await measureOne(app, readQuestions(file), ask, names))
  return measured
}

/** Returns the documents' names by their ids, once all of them can be found. */
async function uploadAll(app: TestApp, collectionId: string): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const { name, text } of await readDemoDocuments()) {
    const form = new FormData()
    form.set('collectionId', collectionId)
    form.set('file', new File([text], name, { type: 'text/markdown' }))
    const headers = { prefer: 'wait=30' }
    const { body } = await app.request('POST', '/knowledge/documents', { form, headers })
    if (body.data?.status !== 'ready') throw new Error(`${name} is not ready: ${JSON.stringify(body)}`)
    names.set(body.data.id, name)
  }
  return names
}

async function measureOne(
  app: TestApp,
  { answerable, unanswerable }: Questions,
  ask: (prompt: string) => Promise<Run>,
  names: ReadonlyMap<string, string>,
): Promise<Measured> {
  const measured: Measured = {
    answerable: answerable.length,
    rightDocument: 0,
    rightAnswer: 0,
    unanswerable: unanswerable.length,
    declined: 0,
    citations: 0,
    exactQuotes: 0,
    misses: [],
  }
  for (const { question, document, answer } of answerable) {
    const run = await ask(question)
    await countQuotes(app, run, measured)
    const isRightDocument = names.get(run.citations[0]?.documentId ?? '') === document
    const isRightAnswer = run.citations.some(({ quote }) => quote.replace(/\s+/g, ' ').includes(answer))
    if (isRightDocument) measured.rightDocument++
    if (isRightAnswer) measured.rightAnswer++
    if (!isRightDocument || !isRightAnswer) measured.misses.push(`${question} → ${run.output}`)
  }
  for (const question of unanswerable) {
    const run = await ask(question)
    await countQuotes(app, run, measured)
    if (run.citations.length === 0) measured.declined++
    else measured.misses.push(`${question} → ${run.output}`)
  }
  return measured
}

async function countQuotes(app: TestApp, run: Run, measured: Measured): Promise<void> {
  for (const { documentId, startOffset, endOffset, quote } of run.citations) {
    const query = { from: startOffset, to: endOffset }
    const { body } = await app.request('GET', `/knowledge/documents/${documentId}/content`, { query })
    measured.citations++
    if (body.data?.text === quote) measured.exactQuotes++
    else measured.misses.push(`not in the document: ${quote}`)
  }
}
