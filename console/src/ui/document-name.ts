/** What a document is called on a page. */

export const documentTitle = ({ title, name }: { title: string | null; name: string }): string =>
  title === null || title.trim() === '' ? name : title

/** The file's name without the folders that it was in. */
export const fileNameOf = (name: string): string => name.split('/').at(-1) || name
