/** Word documents: through mammoth to HTML, behind a guard against archives that are not what they say. */
import mammoth from 'mammoth'
import { ParseFailure } from './failure.ts'
import { writeHtml } from './html.ts'
import type { TextWriter } from './text-writer.ts'
import { guardOfficeZip } from './zip-guard.ts'

export async function writeDocx(path: string, writer: TextWriter): Promise<void> {
  await guardOfficeZip(path)
  writeHtml(await toHtml(path), writer)
}

async function toHtml(path: string): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { path },
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        // Pictures are left packed; what is written beside them stays.
        convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
        externalFileAccess: false,
      },
    )
    return value.replace(/<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g, '')
  } catch (error) {
    throw new ParseFailure('corrupt', undefined, error)
  }
}
