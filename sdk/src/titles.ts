/** What the documents are called that a run has read; a citation names them by their ids. */
import type { Run } from './records.ts'

/** The titles of the documents that the run's searches have shown, by id. */
export function titlesOf({ steps }: Pick<Run, 'steps'>): Map<string, string> {
  const titles = new Map<string, string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { documentId, title } = value as Record<string, unknown>
    if (typeof documentId === 'string' && typeof title === 'string' && title !== '')
      titles.set(documentId, title)
    Object.values(value).forEach(walk)
  }
  walk(steps)
  return titles
}
