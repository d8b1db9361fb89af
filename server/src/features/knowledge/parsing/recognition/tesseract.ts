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
    /** Of all words, from 0 to 100. */
    MeanTextConf(): number
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
  const readTurned = (orientation: number): Reading | null => {
    if (api.SetImageFile(orientation, 0) === 1) return null
    api.Recognize(null)
    return { text: api.GetUTF8Text(), confidence: api.MeanTextConf() }
  }
  return picture => {
    engine.FS.writeFile('/input', picture)
    try {
      return bestOf(orientationOf(picture), readTurned)
    } finally {
      api.Clear()
      engine.FS.unlink('/input')
    }
  }
}

type Reading = { text: string; confidence: number }

/** Quarter turns with the clock, as Exif numbers them. */
const quarterTurns = [1, 6, 3, 8]

/**
 * Pages that lie on their side or head had at most 51, those that lie right at least 73, also an old newspaper.
 * Pictures of noise had 7.
 */
const surely = 60
const hardly = 20

/** Turns a picture whose words are unlikely, since scanners and cameras do not know how the page lay. */
function bestOf(orientation: number, read: (orientation: number) => Reading | null): string | null {
  let best = read(orientation)
  const turn = quarterTurns.indexOf(orientation)
  for (const further of turn < 0 ? [] : [1, 3, 2]) {
    if (best === null || best.text.trim() === '' || best.confidence >= surely) break
    const turned = read(quarterTurns[(turn + further) % quarterTurns.length] ?? 1)
    if (turned !== null && turned.confidence > best.confidence) best = turned
  }
  if (best === null) return null
  return best.confidence < hardly ? '' : best.text
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
