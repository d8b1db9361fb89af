/** Test collections in BEIR form: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type BeirDocument = { _id: string; title: string; text: string }
export type BeirQuery = { _id: string; text: string }

/** By query, then by document: how relevant it is; 0 and less are not relevant. */
export type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>

export type Collection = { documents: BeirDocument[]; queries: BeirQuery[]; judgements: Judgements }

/** Throws if a file is missing or a line cannot be read. */
export async function loadCollection(folder: string): Promise<Collection> {
  const [documents, queries, judgements] = await Promise.all([
    readLines(folder, 'corpus.jsonl'),
    readLines(folder, 'queries.jsonl'),
    readLines(folder, 'qrels.tsv'),
  ])
  return {
    documents: documents.map((line, index) => {
      const { _id, title, text } = JSON.parse(line) as Partial<BeirDocument>
      if (_id === undefined || text === undefined)
        throw new Error(`corpus.jsonl:${index + 1} lacks _id or text`)
      return { _id, title: title ?? '', text }
    }),
    queries: queries.map((line, index) => {
      const { _id, text } = JSON.parse(line) as Partial<BeirQuery>
      if (_id === undefined || text === undefined)
        throw new Error(`queries.jsonl:${index + 1} lacks _id or text`)
      return { _id, text }
    }),
    judgements: readJudgements(judgements),
  }
}

/** `query-id corpus-id score` under a line of names, or TREC's four columns without one. */
function readJudgements(lines: readonly string[]): Judgements {
  const judgements = new Map<string, Map<string, number>>()
  for (const [index, line] of lines.entries()) {
    const columns = line.split('\t')
    const [query = '', document = ''] = columns.length === 4 ? [columns[0], columns[2]] : columns
    const score = Number(columns.at(-1))
    if (index === 0 && Number.isNaN(score)) continue
    if (query === '' || document === '' || Number.isNaN(score)) {
      throw new Error(`qrels.tsv:${index + 1} is not "query, document, score"`)
    }
    const ofQuery = judgements.get(query) ?? new Map<string, number>()
    judgements.set(query, ofQuery.set(document, score))
  }
  return judgements
}

const readLines = async (folder: string, file: string): Promise<string[]> =>
  (await readFile(join(folder, file), 'utf8')).split(/\r?\n/).filter(line => line !== '')
