/** What the parts of all zipped documents have in common: how they name each other, and where a title stands. */
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** The name of a part as another one writes it; a name that leads out of the package is none of its parts. */
export function resolvePart(from: string, target: string): string {
  const decoded = target.includes('%') ? decodeName(target) : target
  const folders = decoded.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of decoded.split('/')) {
    if (step === '..') folders.pop()
    else if (step !== '.' && step !== '') folders.push(step)
  }
  return folders.join('/')
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // A per cent sign that stands for itself.
    return name
  }
}

/** The text of the first `dc:title` of a part. */
export async function readTitle(zip: Zip, part: string): Promise<string | null> {
  let title: string | null = null
  let isWithin = false
  await readXml(zip.pieces(part), {
    open(name) {
      isWithin = name === 'dc:title' && title === null
      if (isWithin) title = ''
    },
    close() {
      isWithin = false
    },
    text(text) {
      if (isWithin) title += text
    },
  })
  return title
}
