/** PowerPoint presentations: each slide is a page, with its title as heading, its notes and its comments. */
import type { Reader, Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { createFlow, createRecorder, type Flow, type RecordedBlock, writerOfSlides } from './flow.ts'
import {
  createDrawingVisitor,
  mainPart,
  type Relationship,
  readFigures,
  relationshipsOf,
  titleOf,
  withoutHiddenShapes,
  writeEmbedded,
} from './ooxml.ts'
import { readXml, type XmlVisitor } from './xml.ts'
import { withZip, type Zip } from './zip.ts'

export const readPptx: Reader = (source, writer) =>
  withZip(source, async zip => {
    const slides = await slideParts(zip, await mainPart(zip))
    const show: Show = {
      zip,
      source,
      writer: writerOfSlides(writer),
      footers: new Set(),
      templates: new Set(),
    }
    for (const [index, slide] of slides.entries()) await writeSlide(show, slide, index + 1)
    return { title: await titleOf(zip), pageCount: slides.length }
  })

/** In the order in which they are shown. */
async function slideParts(zip: Zip, presentation: string): Promise<string[]> {
  const targets = new Map(
    (await relationshipsOf(zip, presentation)).map(({ id, target }) => [id, target] as const),
  )
  const slides: string[] = []
  await readXml(zip.pieces(presentation), {
    open(name, attributes) {
      const target = name === 'p:sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (target !== undefined) slides.push(target)
    },
  })
  return slides
}

type Show = {
  zip: Zip
  source: Source
  writer: TextWriter
  /** Content that slides share is written once: footers, and the layouts and masters behind the slides. */
  footers: Set<string>
  templates: Set<string>
}

async function writeSlide(show: Show, slide: string, page: number): Promise<void> {
  const { zip, source, writer, footers } = show
  const relationships = await relationshipsOf(zip, slide)
  const recorder = createRecorder()
  const repeated = createRecorder()
  const options = {
    figures: await readFigures(zip, relationships, source.warn),
    page,
    kind: 'slide',
    warn: source.warn,
  } as const
  await readXml(zip.pieces(slide), createSlideVisitor(recorder, repeated, options))
  // The title comes first: in the file it stands where it was drawn, which may be behind everything else.
  const isTitle = ({ kind }: RecordedBlock): boolean => kind === 'heading'
  const blocks = [...recorder.blocks.filter(isTitle), ...recorder.blocks.filter(block => !isTitle(block))]
  for (const block of blocks) writer.add(block.kind, block.text, block.options)
  for (const block of repeated.blocks) {
    if (!footers.has(block.text) && !prompt.test(block.text))
      writer.add('paragraph', block.text, block.options)
    footers.add(block.text)
  }
  for (const beside of relationships) await writeBeside(show, beside, page)
  await writeEmbedded(zip, relationships, source, writer, { level: 2, page })
}

/** Placeholders that programs put into an empty footer, header or date. */
const prompt = /^(<(footer|header|date\/time|number)>|footer|header)$/i

type Shape = 'title' | 'body' | 'footer' | 'other'

const shapesByPlaceholder: Readonly<Record<string, Shape | 'left-out'>> = {
  title: 'title',
  ctrTitle: 'title',
  body: 'body',
  obj: 'body',
  ftr: 'footer',
  hdr: 'footer',
  sldNum: 'left-out',
  dt: 'left-out',
  sldImg: 'left-out',
}

type SlideOptions = {
  figures: ReadonlyMap<string, RecordedBlock[]>
  page: number
  /** Notes of a speaker are not read as a list. The placeholders of a template are left out. */
  kind: 'slide' | 'notes' | 'template'
  /** Absent for templates, whose pictures are decoration. */
  warn?: Warn
}

function createSlideVisitor(
  writer: TextWriter,
  footers: TextWriter,
  { figures, page, kind, warn = () => undefined }: SlideOptions,
): XmlVisitor {
  let shape: Shape | 'left-out' = 'other'
  const isList = (): boolean => kind === 'slide' && shape === 'body'
  const body = createDrawingVisitor(createFlow(writer), figures, { page, isList, warn })
  const footer = createDrawingVisitor(createFlow(footers), figures, { page })
  const title = createTitleVisitor(createFlow(writer), page)
  const visitor = () => (shape === 'title' ? title : shape === 'footer' ? footer : body)
  return withoutHiddenShapes({
    open(name, attributes) {
      if (name === 'p:sp') shape = 'other'
      else if (name === 'p:ph')
        shape = kind === 'template' ? 'left-out' : (shapesByPlaceholder[attributes.type ?? 'obj'] ?? 'other')
      else if (name === 'p:txBody' && shape === 'left-out') return 'skip'
      return visitor().open(name, attributes)
    },
    close(name) {
      visitor().close(name)
      if (name === 'p:sp') shape = 'other'
    },
    text: text => visitor().text(text),
  })
}

/** All paragraphs of a title are one heading. */
function createTitleVisitor(flow: Flow, page: number): Required<XmlVisitor> {
  let isText = false
  return {
    open(name) {
      isText = name === 'a:t' || name === 'm:t'
      if (name === 'p:txBody') flow.beginParagraph()
      else if (name === 'a:p' || name === 'a:br') flow.text(' ')
      return undefined
    },
    close(name) {
      isText = false
      if (name === 'p:txBody') flow.endParagraph('heading', { level: 1, page })
    },
    text: text => {
      if (isText) flow.text(text)
    },
  }
}

/** Writes the notes, comments and templates of a slide, which are parts beside it. */
async function writeBeside(show: Show, { type, target }: Relationship, page: number): Promise<void> {
  const { zip, writer, templates } = show
  if (type === 'notesSlide') {
    const visitor = createSlideVisitor(writer, createRecorder(), { figures: new Map(), page, kind: 'notes' })
    await readXml(zip.pieces(target), visitor)
  } else if (type === 'comments') {
    await readXml(zip.pieces(target), createCommentVisitor(createFlow(writer), page))
  } else if ((type === 'slideLayout' || type === 'slideMaster') && !templates.has(target)) {
    templates.add(target)
    const visitor = createSlideVisitor(writer, createRecorder(), {
      figures: new Map(),
      page,
      kind: 'template',
    })
    await readXml(zip.pieces(target), visitor)
    if (type === 'slideMaster') return
    for (const behind of await relationshipsOf(zip, target)) await writeBeside(show, behind, page)
  }
}

/** Comments of older versions are plain text, comments of newer versions have paragraphs. */
function createCommentVisitor(flow: Flow, page: number): XmlVisitor {
  const drawing = createDrawingVisitor(flow, new Map(), { page })
  let isPlain = false
  return {
    open(name, attributes) {
      isPlain = name === 'p:text'
      if (isPlain) flow.beginParagraph()
      return drawing.open(name, attributes)
    },
    close(name) {
      if (name === 'p:text') flow.endParagraph('paragraph', { page })
      isPlain = false
      drawing.close(name)
    },
    text: text => (isPlain ? flow.text(text) : drawing.text(text)),
  }
}
