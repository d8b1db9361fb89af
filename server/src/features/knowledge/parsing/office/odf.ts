/** OpenDocument texts, spreadsheets and presentations: one vocabulary, of which each kind uses a part. */
import { ParseFailure } from '../failure.ts'
import type { Reader } from '../reader.ts'
import { createFlow, createRecorder, type RecordedBlock, writerOfSlides } from './flow.ts'
import { createOdfVisitor } from './odf-content.ts'
import { readListStyles } from './odf-lists.ts'
import { readTitle } from './parts.ts'
import { type Attributes, readXml, within } from './xml.ts'
import { withZip, type Zip } from './zip.ts'

export const readOdf: Reader = (source, writer) =>
  withZip(source, async zip => {
    await requireReadable(zip)
    const lists = await readListStyles(zip)
    const objects = await readObjects(zip)
    const visitor = createOdfVisitor(createFlow(writerOfSlides(writer)), { lists, objects })
    await readXml(zip.pieces('content.xml'), visitor)
    for (const text of await readMargins(zip)) writer.add('paragraph', text)
    const title = zip.has('meta.xml') ? await readTitle(zip, 'meta.xml') : null
    return { title, pageCount: visitor.pageCount() }
  })

/** Throws `encrypted` where the manifest says that parts are. */
async function requireReadable(zip: Zip): Promise<void> {
  const manifest = 'META-INF/manifest.xml'
  if (!zip.has(manifest)) return
  await readXml(zip.pieces(manifest), {
    open(name) {
      if (name === 'manifest:encryption-data') throw new ParseFailure('encrypted')
    },
  })
}

/** Charts and other documents within this one, by the folder that they lie in. */
async function readObjects(zip: Zip): Promise<Map<string, RecordedBlock[]>> {
  const objects = new Map<string, RecordedBlock[]>()
  for (const name of zip.names) {
    const [, folder] = /^([^/]+)\/content\.xml$/.exec(name) ?? []
    if (folder === undefined) continue
    const recorder = createRecorder()
    await readXml(zip.pieces(name), createOdfVisitor(createFlow(recorder)))
    objects.set(folder, recorder.blocks)
  }
  return objects
}

/** What headers and footers say, each once. */
async function readMargins(zip: Zip): Promise<Set<string>> {
  const recorder = createRecorder()
  if (zip.has('styles.xml')) {
    await readXml(zip.pieces('styles.xml'), within(isMargin, createOdfVisitor(createFlow(recorder))))
  }
  return new Set(recorder.blocks.map(({ text }) => text).filter(text => text !== ''))
}

const isMargin = (name: string, attributes: Attributes): boolean =>
  /^style:(header|footer)(-left|-first)?$/.test(name) ||
  /^(header|footer)$/.test(attributes['presentation:class'] ?? '')
