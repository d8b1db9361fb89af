/**
 * XML as a stream of tags and text, with names independent of the producer's prefixes. Declared entities are refused.
 */
import { SaxesParser } from 'saxes'
import { byteOrderMark } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'

/** Attributes by name; the prefix of a known namespace is the one in `prefixes`. */
export type Attributes = Readonly<Record<string, string>>

export type XmlVisitor = {
  /** `skip` leaves out the element with its content; `close` is then not called. */
  open?(name: string, attributes: Attributes): 'skip' | undefined
  close?(name: string): void
  text?(text: string): void
}

/** No document nests deeper. */
const maxDepth = 2_000

/** Reads a part to its end. Throws `corrupt` if it is no well-formed XML, or declares entities. */
export async function readXml(pieces: AsyncIterable<Buffer>, visitor: XmlVisitor): Promise<void> {
  const parser = createParser(visitor)
  let decoder: InstanceType<typeof TextDecoder> | null = null
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece))
    feed(() => parser.write(decoder?.decode(piece, { stream: true }) ?? ''))
  }
  feed(() => parser.write(decoder?.decode() ?? '').close())
}

/** Lets a visitor see only the elements that are wanted, with all that they hold. */
export function within(
  isWanted: (name: string, attributes: Attributes) => boolean,
  visitor: Required<XmlVisitor>,
): XmlVisitor {
  let depth = 0
  return {
    open(name, attributes) {
      if (depth === 0 && !isWanted(name, attributes)) return undefined
      const answer = visitor.open(name, attributes)
      if (answer !== 'skip') depth += 1
      return answer
    },
    close(name) {
      if (depth === 0) return
      depth -= 1
      visitor.close(name)
    },
    text(text) {
      if (depth > 0) visitor.text(text)
    },
  }
}

function feed(step: () => void): void {
  try {
    step()
  } catch (error) {
    throw error instanceof XmlFault ? new ParseFailure('corrupt', undefined, error) : error
  }
}

class XmlFault extends Error {
  override readonly name = 'XmlFault'
}

/** Faults that producers let through although XML forbids them; they do not harm the text around them. */
const harmless =
  /disallowed char|disallowed in char data|(undefined|malformed) entity|character entity|empty entity|duplicate attribute|XML declaration must/

function createParser(visitor: XmlVisitor) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const names = createNames()
  let depth = 0
  /** The depth of the element that is being left out. */
  let skippedAt = Number.POSITIVE_INFINITY

  parser.on('error', error => {
    if (!harmless.test(error.message)) throw new XmlFault(error.message)
  })
  parser.on('doctype', doctype => {
    if (!doctype.includes('[')) return
    throw new ParseFailure('corrupt', 'The file declares XML entities, which no document of its kind does.')
  })
  parser.on('opentag', tag => {
    depth += 1
    if (depth > maxDepth) throw new ParseFailure('corrupt', 'The parts of the file are nested too deep.')
    if (depth > skippedAt) return
    names.enter(tag.attributes)
    const name = names.of(tag.name)
    // `mc:Fallback` shows older programs what a choice says already.
    const isSkipped =
      name === 'mc:Fallback' || visitor.open?.(name, names.attributes(tag.attributes)) === 'skip'
    if (isSkipped) skippedAt = depth
  })
  parser.on('closetag', tag => {
    if (depth < skippedAt) visitor.close?.(names.of(tag.name))
    if (depth <= skippedAt) names.leave()
    if (depth === skippedAt) skippedAt = Number.POSITIVE_INFINITY
    depth -= 1
  })
  const hear = (text: string): void => {
    if (depth < skippedAt) visitor.text?.(text)
  }
  parser.on('text', hear)
  parser.on('cdata', hear)
  return parser
}

type Scope = { prefixes: ReadonlyMap<string, string>; known: Map<string, string> }

/** Names by the current namespaces. Nearly all elements have no declarations, and share the scope around them. */
function createNames() {
  const scopes: (Scope | null)[] = []
  let scope: Scope = { prefixes: new Map(), known: new Map() }

  const of = (name: string, isAttribute = false): string => {
    const colon = name.indexOf(':')
    if (colon < 0 && isAttribute) return name
    const found = scope.known.get(name)
    if (found !== undefined) return found
    const own = colon < 0 ? '' : name.slice(0, colon)
    const prefix = scope.prefixes.get(own) ?? own
    const canonical = prefix === '' ? name : `${prefix}:${name.slice(colon + 1)}`
    scope.known.set(name, canonical)
    return canonical
  }

  return {
    of,
    attributes: (raw: Attributes): Attributes => {
      let hasPrefixes = false
      for (const name in raw) hasPrefixes ||= name.includes(':')
      if (!hasPrefixes) return raw
      const named: Record<string, string> = {}
      for (const name in raw) named[of(name, true)] = raw[name] ?? ''
      return named
    },
    enter: (attributes: Attributes): void => {
      let prefixes: Map<string, string> | null = null
      for (const name in attributes) {
        if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
        prefixes ??= new Map(scope.prefixes)
        prefixes.set(name.slice(6), canonicalPrefix(attributes[name] ?? '', name.slice(6)))
      }
      scopes.push(prefixes === null ? null : scope)
      if (prefixes !== null) scope = { prefixes, known: new Map() }
    },
    leave: (): void => {
      scope = scopes.pop() ?? scope
    },
  }
}

function encodingOf(head: Buffer): string {
  const marked = byteOrderMark(head)
  if (marked !== null) return marked
  const declared = /^<\?xml[^>]{0,200}?encoding=["']([\w.-]+)/.exec(head.toString('latin1', 0, 300))?.[1]
  try {
    return new TextDecoder(declared ?? 'utf-8').encoding
  } catch {
    // An unknown encoding: names and markup are ASCII in nearly all encodings.
    return 'utf-8'
  }
}

// The XML namespaces of office documents, each with the prefix that the readers use.

/** `own` is the document's prefix, which is kept for a namespace that no reader knows. */
function canonicalPrefix(uri: string, own: string): string {
  return prefixes[withoutEdition(uri)] ?? own
}

/** Strict Office Open XML has other addresses for the same names, without the year. */
const withoutEdition = (uri: string): string =>
  uri
    .replace('http://purl.oclc.org/ooxml/', 'http://schemas.openxmlformats.org/')
    .replace(/^(http:\/\/schemas\.openxmlformats\.org\/.*)\/2006(\/|$)/, '$1$2')

const openXml = 'http://schemas.openxmlformats.org'
const openDocument = 'urn:oasis:names:tc:opendocument:xmlns'

const prefixes: Readonly<Record<string, string>> = {
  [`${openXml}/wordprocessingml/main`]: 'w',
  [`${openXml}/presentationml/main`]: 'p',
  [`${openXml}/spreadsheetml/main`]: 's',
  [`${openXml}/drawingml/main`]: 'a',
  [`${openXml}/drawingml/chart`]: 'c',
  [`${openXml}/drawingml/diagram`]: 'dgm',
  [`${openXml}/drawingml/picture`]: 'pic',
  [`${openXml}/drawingml/wordprocessingDrawing`]: 'wp',
  [`${openXml}/drawingml/spreadsheetDrawing`]: 'xdr',
  [`${openXml}/officeDocument/relationships`]: 'r',
  [`${openXml}/officeDocument/math`]: 'm',
  [`${openXml}/markup-compatibility`]: 'mc',
  [`${openXml}/package/relationships`]: 'rel',
  'urn:schemas-microsoft-com:vml': 'v',
  'http://schemas.microsoft.com/office/word/2003/wordml': 'w',
  'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments': 'tc',
  'http://schemas.microsoft.com/office/powerpoint/2018/8/main': 'p188',
  'http://purl.org/dc/elements/1.1/': 'dc',
  [`${openDocument}:office:1.0`]: 'office',
  [`${openDocument}:style:1.0`]: 'style',
  [`${openDocument}:text:1.0`]: 'text',
  [`${openDocument}:table:1.0`]: 'table',
  [`${openDocument}:drawing:1.0`]: 'draw',
  [`${openDocument}:presentation:1.0`]: 'presentation',
  [`${openDocument}:svg-compatible:1.0`]: 'svg',
  [`${openDocument}:chart:1.0`]: 'chart',
  [`${openDocument}:manifest:1.0`]: 'manifest',
  [`${openDocument}:container`]: 'container',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://www.idpf.org/2007/opf': 'opf',
  'http://openebook.org/namespaces/oeb-package/1.0/': 'opf',
  'http://www.w3.org/2001/04/xmlenc#': 'enc',
}
