/** The documents of an invented company, for a new workspace's sandbox and for measuring `extractive`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type DemoDocument = { name: string; title: string; text: string }

const folder = join(import.meta.dirname, 'documents')

/** The collection of a new workspace's sandbox, and the files that are uploaded into it. */
export const demoCollection = {
  name: 'Tidewater handbook',
  description: 'A few pages of a company that does not exist, to try search and agents on.',
  documents: ['leave-and-holidays.md', 'expenses-and-travel.md', 'warranty-and-returns.md', 'onboarding.md'],
} as const

/** A question that the sandbox's documents answer. */
export const demoQuestion = 'How many days of paid annual leave do full-time employees have?'

/** All documents, or only those in `names`. */
export async function readDemoDocuments(names?: readonly string[]): Promise<DemoDocument[]> {
  const files = names ?? (await readdir(folder)).filter(name => name.endsWith('.md')).sort()
  return Promise.all(
    files.map(async name => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text }
    }),
  )
}
