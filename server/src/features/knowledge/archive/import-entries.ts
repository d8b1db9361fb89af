/** Leads the collections' entries of an archive to where they belong, up to its end. */
import { type ArchiveCounts, ArchiveEnd, damaged, entryNames } from './format.ts'
import type { CollectionImport } from './import-collection.ts'
import { type ArchiveEntry, type ArchiveReader, readJson } from './read-archive.ts'

/**
 * Answers the collections once the end has come and states what was counted. `begin` makes one from its record; what
 * stands before the first of them is given to `other`.
 */
export async function importEntries(
  archive: ArchiveReader,
  counts: ArchiveCounts,
  begin: (number: number, entry: ArchiveEntry) => Promise<CollectionImport>,
  other: (entry: ArchiveEntry) => Promise<void> = async ({ name }) => {
    throw damaged(`${name.slice(0, 200)} is not expected here`)
  },
): Promise<CollectionImport[]> {
  const collections: CollectionImport[] = []
  for (let entry = await archive.next(); entry !== null; entry = await archive.next()) {
    if (entry.name === entryNames.end) {
      const stated = await readJson(entry, ArchiveEnd)
      const isSame = Object.entries(counts).every(
        ([name, count]) => stated[name as keyof ArchiveCounts] === count,
      )
      if (!isSame) throw damaged('The archive holds something else than its end states')
      if ((await archive.next()) !== null) throw damaged('The archive goes on behind its end')
      return collections
    }
    const [, number = '', rest = ''] = /^collections\/(\d{1,6})\/(.{1,100})$/.exec(entry.name) ?? []
    if (number === '') await other(entry)
    else if (entry.name === entryNames.collection(collections.length + 1)) {
      collections.push(await begin(collections.length + 1, entry))
    } else {
      const collection = collections.at(-1)
      if (collection === undefined || Number(number) !== collections.length) {
        throw damaged(`${entry.name} is not expected here`)
      }
      await collection.take(rest, entry)
    }
  }
  throw damaged('The archive is cut off: it has no end.json')
}
