/** How the lists of an OpenDocument file are marked: by signs, which become "-", or by numbers. */
import { readXml, type XmlVisitor } from './xml.ts'
import type { Zip } from './zip.ts'

/** By the name of a list's style, the format of the numbers at each level from 0; null for a sign. */
export type ListStyles = ReadonlyMap<string, readonly (NumberStyle | null)[]>

export type NumberStyle = { format: string; suffix: string }

export async function readListStyles(zip: Zip): Promise<ListStyles> {
  const styles = new Map<string, (NumberStyle | null)[]>()
  let levels: (NumberStyle | null)[] = []
  const visitor: XmlVisitor = {
    open(name, attributes) {
      const level = Number(attributes['text:level'] ?? 1) - 1
      if (name === 'text:list-style') {
        levels = []
        styles.set(attributes['style:name'] ?? '', levels)
      } else if (name === 'text:list-level-style-number' && level >= 0 && level < 10) {
        const format = attributes['style:num-format'] ?? ''
        levels[level] = format === '' ? null : { format, suffix: attributes['style:num-suffix'] ?? '' }
      }
      return name === 'office:body' ? 'skip' : undefined
    },
  }
  for (const part of ['styles.xml', 'content.xml']) {
    if (zip.has(part)) await readXml(zip.pieces(part), visitor)
  }
  return styles
}
