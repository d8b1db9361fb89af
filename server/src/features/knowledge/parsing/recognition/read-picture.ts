/** A file that is a picture: its text is recognised. A TIFF may hold several pages, such as those of a fax. */
import { ParseFailure } from '../failure.ts'
import { maxRecognisedPages } from '../limits.ts'
import { writePlainText } from '../plain-text.ts'
import type { Reader } from '../reader.ts'
import { onPage } from '../text-writer.ts'
import { tiffAt } from './tiff.ts'

export const readPicture: Reader = async ({ recognise, bytes, warn, onProgress }, writer) => {
  if (recognise === null) throw new ParseFailure('no_text')
  const picture = await bytes()
  const tiff = tiffAt(picture, 0, maxRecognisedPages)
  if (tiff === null || tiff.pages.length < 2) {
    const text = await recognise(picture)
    if (text === null) throw new ParseFailure('corrupt', 'The picture could not be read by text recognition.')
    writePlainText(text, writer)
    return {}
  }
  let unreadPages = 0
  for (const [index, page] of tiff.pages.entries()) {
    tiff.putFirst(page)
    const text = await recognise(picture)
    if (text === null) unreadPages += 1
    else writePlainText(text, onPage(writer, index + 1))
    if ((text ?? '').trim() === '') warn('pages_without_text', { page: index + 1 })
    onProgress((index + 1) / tiff.pages.length)
  }
  return { pageCount: tiff.pages.length, unreadPages }
}
