/** Office Open XML as a package: its main part, what each part refers to, its title; and charts and diagrams as blocks. */
import { ParseFailure } from '../failure.ts'
import type { TextWriter } from '../text-writer.ts'
import { writeChart } from './chart.ts'
import { createDrawingVisitor } from './drawing.ts'
import { createFlow, createRecorder, type RecordedBlock } from './flow.ts'
import { readTitle, resolvePart } from './parts.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

export type Relationship = {
  id: string
  /** The last word of its type's address: `chart`, `footnotes`. */
  type: string
  /** The name of a part that is there. */
  target: string
}

/** The part that the package is about. Throws `corrupt` where there is none. */
export async function mainPart(zip: Zip): Promise<string> {
  const main = (await relationshipsOf(zip, '')).find(({ type }) => type === 'officeDocument')
  if (main === undefined) throw new ParseFailure('corrupt', 'The file lacks its main part.')
  return main.target
}

/** What a part refers to; parts that are elsewhere, or missing, are left out. */
export async function relationshipsOf(zip: Zip, part: string): Promise<Relationship[]> {
  const slash = part.lastIndexOf('/') + 1
  const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  const found: Relationship[] = []
  if (!zip.has(name)) return found
  await readXml(zip.pieces(name), {
    open(tag, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (tag !== 'rel:Relationship' || mode === 'External') return
      const resolved = resolvePart(part, target)
      if (zip.has(resolved)) found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved })
    },
  })
  return found
}

/** What the file says that its title is, unless a program made that up. */
export async function titleOf(zip: Zip): Promise<string | null> {
  const core = (await relationshipsOf(zip, '')).find(({ type }) => type === 'core-properties')
  if (core === undefined) return null
  const title = (await readTitle(zip, core.target))?.trim() ?? ''
  return title === '' || madeUp.test(title) ? null : title
}

const madeUp =
  /^(powerpoint presentation|(slide|document|presentation|book|workbook) ?\d*|untitled.*|microsoft \w+ - .*)$/i

/** Charts and diagrams that a part shows, by the id under which it refers to them. */
export async function readFigures(
  zip: Zip,
  relationships: readonly Relationship[],
): Promise<Map<string, RecordedBlock[]>> {
  const figures = new Map<string, RecordedBlock[]>()
  for (const { id, type, target } of relationships) {
    const recorder = createRecorder()
    if (type === 'chart') await writeChart(zip.pieces(target), recorder)
    else if (type === 'diagramData') await writeShapes(zip, target, recorder)
    else continue
    figures.set(id, recorder.blocks)
  }
  return figures
}

/** The text of all shapes of a drawing, with its charts and diagrams. */
export async function writeDrawing(zip: Zip, part: string, writer: TextWriter): Promise<void> {
  await writeShapes(zip, part, writer, await readFigures(zip, await relationshipsOf(zip, part)))
}

async function writeShapes(
  zip: Zip,
  part: string,
  writer: TextWriter,
  figures: ReadonlyMap<string, RecordedBlock[]> = new Map(),
): Promise<void> {
  await readXml(zip.pieces(part), createDrawingVisitor(createFlow(writer), figures))
}
