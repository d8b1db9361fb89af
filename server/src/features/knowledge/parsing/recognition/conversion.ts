/** Files that no reader reads, such as old Word documents, become files that one does, by the program that the operator chose. */
import { copyFile, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { withoutNetwork } from '../children/no-network.ts'
import { type Command, runProgram } from '../children/program.ts'
import { ParseFailure } from '../failure.ts'
import { formats } from '../formats.ts'
import { sniffFile } from '../sniff.ts'

export type ConverterOptions = {
  /** `{file}` is what it reads. It prints text, or leaves one file in `{folder}`. */
  command: Command
  /** The longest time for one document. */
  timeoutMs: number
}

type Conversion = { path: string; name: string; signal: AbortSignal }

/** All that it leaves: its result, and what it keeps for itself meanwhile. */
const maxBytes = 256 * 1024 * 1024
const maxFiles = 10_000
const maxOutputBytes = 80_000_000

/** The file that the program made, below `folder` until it is removed. Throws `ParseFailure`; null of a file that is not for it. */
export async function convert(
  { command, timeoutMs }: ConverterOptions,
  folder: string,
  { path, name, signal }: Conversion,
) {
  const { format } = await sniffFile(path, name)
  if (format === null || formats[format].conversion === undefined) return null
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const own = await mkdtemp(join(folder, 'convert-'))
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true, maxRetries: 5 })
  try {
    const [input, output, work] = [join(own, 'in'), join(own, 'out'), join(own, 'work')]
    for (const made of [input, output, work]) await mkdir(made)
    // Programs tell formats by the ending; iWork has three for one.
    const ending = /^\.(pages|numbers|key)$/i.exec(extname(name))?.[0] ?? `.${format}`
    const file = join(input, `document${ending}`)
    await copyFile(path, file)
    const [program, ...words] = command
    const printed = await runProgram(withoutNetworkBefore(program, words), {
      purpose: 'converting files',
      words: { file, folder: output },
      folder: work,
      environment: { HOME: work, TMPDIR: work },
      timeoutMs,
      signal,
      maxOutputBytes,
      watch: async () => ((await isTooMuch(output)) || (await isTooMuch(work)) ? tooMuch() : null),
      refusal: cause => new ParseFailure('conversion_failed', undefined, cause),
    })
    return { ...(await resultOf(output, printed)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A document can name addresses, which the program would open. */
function withoutNetworkBefore(program: string, words: readonly string[]): Command {
  const [first, ...rest] = [...withoutNetwork(), program, ...words]
  return [first ?? program, ...rest]
}

const tooMuch = (): ParseFailure =>
  new ParseFailure('conversion_failed', 'The program that converts files made more than a document may be.')

async function isTooMuch(folder: string): Promise<boolean> {
  let bytes = 0
  let files = 0
  for (const entry of await readdir(folder, { recursive: true })) {
    files += 1
    if (files > maxFiles) return true
    // A file that is gone by now counts for nothing.
    bytes += await lstat(join(folder, entry)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes > maxBytes
}

/** The only file in the folder, or else what was printed. A link would lead to what the program itself may not show. */
async function resultOf(folder: string, printed: Buffer): Promise<{ path: string; name: string }> {
  const [name, ...others] = await readdir(folder)
  if (name === undefined && printed.length === 0) {
    throw new ParseFailure('conversion_failed', 'The program that converts files made nothing of this one.')
  }
  if (name === undefined) {
    const path = join(folder, 'printed.txt')
    await writeFile(path, printed)
    return { path, name: 'printed.txt' }
  }
  const path = join(folder, name)
  const about = await lstat(path)
  if (others.length > 0 || !about.isFile()) {
    throw new ParseFailure('conversion_failed', 'The program that converts files made more than one file.')
  }
  if (about.size > maxBytes) throw tooMuch()
  return { path, name }
}
