/** Excel workbooks: each sheet under its name, row by row, with what is written beside its cells. */
import type { Reader } from '../reader.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createFlow, createRecorder } from './flow.ts'
import { mainPart, relationshipsOf, titleOf, writeDrawing } from './ooxml.ts'
import { readCellFormats, readSharedStrings, type Workbook } from './xlsx-parts.ts'
import { readSheet } from './xlsx-sheet.ts'
import { readXml } from './xml.ts'
import { withZip, type Zip } from './zip.ts'

export const readXlsx: Reader = (source, writer) =>
  withZip(source, async zip => {
    const main = await mainPart(zip)
    const { workbook, sheets } = await openWorkbook(zip, main)
    const repeated = new Set<string>()
    for (const { name, target } of sheets) {
      const sheet = createRecorder()
      const margins = await readSheet(zip.pieces(target), workbook, sheet)
      await writeBeside(zip, target, sheet)
      for (const text of margins) {
        if (!repeated.has(text)) sheet.add('paragraph', text)
        repeated.add(text)
      }
      if (sheet.blocks.some(({ text }) => text !== '')) writer.add('heading', onOneLine(name), { level: 1 })
      for (const { kind, text, options } of sheet.blocks) writer.add(kind, text, options)
    }
    return { title: await titleOf(zip) }
  })

type SheetPart = { name: string; target: string }

/** Its sheets in their order; hidden ones are among them. */
async function openWorkbook(zip: Zip, main: string): Promise<{ workbook: Workbook; sheets: SheetPart[] }> {
  const relationships = await relationshipsOf(zip, main)
  const targets = new Map(relationships.map(({ id, target }) => [id, target] as const))
  const partOf = (type: string): string | undefined =>
    relationships.find(relationship => relationship.type === type)?.target
  const sheets: SheetPart[] = []
  let startsIn1904 = false
  await readXml(zip.pieces(main), {
    open(name, attributes) {
      const target = targets.get(attributes['r:id'] ?? '')
      if (name === 's:sheet' && target !== undefined) sheets.push({ name: attributes.name ?? '', target })
      else if (name === 's:workbookPr') startsIn1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
    },
  })
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')]
  return {
    sheets,
    workbook: {
      strings: strings === undefined ? [] : await readSharedStrings(zip.pieces(strings)),
      formats: styles === undefined ? [] : await readCellFormats(zip.pieces(styles)),
      startsIn1904,
    },
  }
}

/** Text boxes, charts, diagrams, comments. */
async function writeBeside(zip: Zip, sheet: string, writer: TextWriter): Promise<void> {
  const relationships = await relationshipsOf(zip, sheet)
  // A thread is repeated, with an explanation, as a comment for older versions.
  const hasThreads = relationships.some(({ type }) => type === 'threadedComment')
  for (const { type, target } of relationships) {
    if (type === 'drawing') await writeDrawing(zip, target, writer)
    else if (type === 'threadedComment' || (type === 'comments' && !hasThreads))
      await writeComments(zip.pieces(target), writer)
  }
}

async function writeComments(pieces: AsyncIterable<Buffer>, writer: TextWriter): Promise<void> {
  const flow = createFlow(writer)
  const comments = new Set(['s:comment', 'tc:threadedComment'])
  let isText = false
  await readXml(pieces, {
    open(name) {
      if (comments.has(name)) flow.beginParagraph()
      isText = name === 's:t' || name === 'tc:text'
      return name === 's:rPh' ? 'skip' : undefined
    },
    close(name) {
      if (comments.has(name)) flow.endParagraph()
      isText = false
    },
    text(text) {
      if (isText) flow.text(text)
    },
  })
}
