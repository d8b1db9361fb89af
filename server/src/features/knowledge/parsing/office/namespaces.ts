/** The XML namespaces of office documents, each with the prefix by which the readers know it. */

/** `own` is what the document calls it, kept for those that no reader knows. */
export function canonicalPrefix(uri: string, own: string): string {
  return prefixes[withoutEdition(uri)] ?? own
}

/** Strict Office Open XML has addresses of its own for the same names, without the year. */
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
  [`${openXml}/drawingml/wordprocessingDrawing`]: 'wp',
  [`${openXml}/drawingml/spreadsheetDrawing`]: 'xdr',
  [`${openXml}/officeDocument/relationships`]: 'r',
  [`${openXml}/officeDocument/math`]: 'm',
  [`${openXml}/markup-compatibility`]: 'mc',
  [`${openXml}/package/relationships`]: 'rel',
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
