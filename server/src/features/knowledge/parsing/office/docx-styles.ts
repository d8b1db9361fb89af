/** What the styles of a Word document say of a paragraph's place: heading, or item of a list. */
import { readXml } from './xml.ts'

export type WordStyle = {
  /** Of a heading, from 0. */
  outline: number | null
  /** The list that its paragraphs belong to, and their level in it. */
  list: string | null
  level: number | null
}

/** By a style's id; under '' the one of paragraphs that name none. */
export type WordStyles = ReadonlyMap<string, WordStyle>

type Declared = WordStyle & { basedOn: string | null; isDefault: boolean }

const maxAncestors = 20

export async function readStyles(pieces: AsyncIterable<Buffer>): Promise<WordStyles> {
  const declared = await readDeclared(pieces)
  const styles = new Map<string, WordStyle>()
  for (const [id, style] of declared) {
    const resolved = resolve(style, declared)
    styles.set(id, resolved)
    if (style.isDefault) styles.set('', resolved)
  }
  return styles
}

async function readDeclared(pieces: AsyncIterable<Buffer>): Promise<Map<string, Declared>> {
  const declared = new Map<string, Declared>()
  let style: Declared | null = null
  await readXml(pieces, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? ''
      if (name === 'w:style') {
        const isParagraph = attributes['w:type'] === 'paragraph'
        const isDefault = isParagraph && /^(1|true|on)$/.test(attributes['w:default'] ?? '')
        style = { outline: null, list: null, level: null, basedOn: null, isDefault }
        if (isParagraph) declared.set(attributes['w:styleId'] ?? '', style)
      } else if (style !== null) declare(style, name, value)
    },
    close(name) {
      if (name === 'w:style') style = null
    },
  })
  return declared
}

function declare(style: Declared, name: string, value: string): void {
  if (name === 'w:name') style.outline = outlineOf(value)
  else if (name === 'w:basedOn') style.basedOn = value
  else if (name === 'w:outlineLvl') style.outline = Number(value)
  else if (name === 'w:numId') style.list = value
  else if (name === 'w:ilvl') style.level = Number(value)
}

/** What a style that the document does not declare must be. */
export const undeclaredStyle = (id: string): WordStyle => ({
  outline: outlineOf(id),
  list: null,
  level: null,
})

/** Styles that come with Word have English names, whatever language they are shown in. */
function outlineOf(name: string): number | null {
  const level = /^heading ?(\d)$/i.exec(name)?.[1]
  if (level !== undefined) return Number(level) - 1
  return /^title$/i.test(name) ? 0 : null
}

function resolve(style: Declared, declared: ReadonlyMap<string, Declared>): WordStyle {
  const resolved: WordStyle = { outline: style.outline, list: style.list, level: style.level }
  let ancestor = declared.get(style.basedOn ?? '')
  for (let depth = 0; ancestor !== undefined && depth < maxAncestors; depth++) {
    resolved.outline ??= ancestor.outline
    resolved.list ??= ancestor.list
    resolved.level ??= ancestor.level
    ancestor = declared.get(ancestor.basedOn ?? '')
  }
  return resolved
}
