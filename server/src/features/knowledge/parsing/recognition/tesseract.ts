/** Tesseract in WebAssembly: reads the text of pictures in the process that reads the file. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tiffAt } from './tiff.ts'

/** Returns the text of a picture; null if it is damaged, or of no format that Tesseract reads. */
export type ReadText = (picture: Buffer) => string | null

type Engine = {
  FS: { writeFile(path: string, content: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => {
    /** Not 0 if a language cannot be loaded. */
    Init(folder: null, languages: string, engine: number): number
    /** Loads `/input`; 1 if that is no picture. */
    SetImageFile(orientation: number, radians: number): number
    Recognize(monitor: null): number
    GetUTF8Text(): string
    Clear(): void
  }
}

const core = 'tesseract.js-core/tesseract-core-simd-lstm'
const neuralNetsOnly = 1

/** The data of a language; null if its package is not installed. */
export function languageFile(language: string): string | null {
  const about = packageOf(`@tesseract.js-data/${language}`)
  const path = about === null ? null : join(about, '4.0.0_best_int', `${language}.traineddata.gz`)
  return path !== null && existsSync(path) ? path : null
}

function packageOf(name: string): string | null {
  try {
    const found = findPackageJSON(name, import.meta.url)
    return found === undefined ? null : dirname(found)
  } catch {
    return null
  }
}

/** Throws if a language is not installed. */
export async function openTesseract(languages: readonly string[]): Promise<ReadText> {
  const require = createRequire(import.meta.url)
  const start = require(`${core}.js`) as (options: object) => Promise<Engine>
  const engine = await start({
    wasmBinary: readFileSync(require.resolve(`${core}.wasm`)),
    TesseractProgress: () => undefined,
    print: () => undefined,
    printErr: () => undefined,
  })
  for (const language of languages) {
    const path = languageFile(language)
    if (path === null) throw new Error(`The package @tesseract.js-data/${language} is not installed`)
    engine.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(path)))
  }
  const api = new engine.TessBaseAPI()
  if (api.Init(null, languages.join('+'), neuralNetsOnly) !== 0)
    throw new Error(`Tesseract does not load the languages ${languages.join(', ')}`)
  return picture => {
    engine.FS.writeFile('/input', picture)
    try {
      if (api.SetImageFile(orientationOf(picture), 0) === 1) return null
      api.Recognize(null)
      return api.GetUTF8Text()
    } finally {
      api.Clear()
      engine.FS.unlink('/input')
    }
  }
}

/** How a camera was held, from 1 to 8. */
function orientationOf(picture: Buffer): number {
  const mark = picture.subarray(0, headBytes).indexOf(exifMark, 0, 'latin1')
  const exif = mark < 0 ? null : tiffAt(picture, mark + exifMark.length, 1)
  const orientation = exif?.orientation ?? 1
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

const headBytes = 4_096
const exifMark = 'Exif\0\0'
