/** A PDF of real text, made without a library: one font, lines of fixed width, a page for each group of lines. */

const linesPerPage = 48
const lineLength = 88
/** In points: where the first column of numbers ends, how far apart they are, and how wide a digit is. */
const firstColumn = 300
const columnWidth = 70
const digitWidth = 5

/** Each page is filled from the text, which is begun again where it is too short. */
export function makePdf(pages: number, text: string): Uint8Array<ArrayBuffer> {
  const lines = linesOf(text)
  return makePdfOf(
    Array.from({ length: pages }, (_, page) =>
      Array.from(
        { length: linesPerPage },
        (_, index) => lines[(page * linesPerPage + index) % lines.length] ?? '',
      ),
    ),
  )
}

/** A page for each of the texts, however long it is; what stands behind a tab is a number in a column of its own. */
export const makePdfOfTexts = (texts: readonly string[]): Uint8Array<ArrayBuffer> =>
  makePdfOf(texts.map(linesOf))

function makePdfOf(pages: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const bodies = pages.map(pageContent)
  const kids = bodies.map((_, page) => `${3 + 2 * page + 1} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...bodies.flatMap((body, page) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * page} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${body.length} >>\nstream\n${body}\nendstream`,
    ]),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const xref = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  // All of it is ASCII, so characters are bytes and the offsets above are right.
  return new TextEncoder().encode(file)
}

function linesOf(text: string): string[] {
  const pattern = new RegExp(`.{1,${lineLength}}(?:\\s|$)`, 'g')
  return text.match(pattern)?.map(line => line.trim()) ?? []
}

function pageContent(lines: readonly string[]): string {
  const shown = lines.map(line => {
    const [text = '', ...numbers] = line.split('\t').map(cell => `(${cell.replace(/[\\()]/g, '\\$&')}) Tj`)
    const columns = numbers.map(shownNumber => {
      const indent = firstColumn - digitWidth * (shownNumber.length - 5)
      return `${indent} 0 Td ${shownNumber} ${columnWidth - indent} 0 Td`
    })
    return columns.length === 0
      ? `${text} T*`
      : `${text} ${columns.join(' ')} ${-columnWidth * numbers.length} 0 Td T*`
  })
  return `BT /F1 10 Tf 50 790 Td 15 TL\n${shown.join('\n')}\nET`
}
