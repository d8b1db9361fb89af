/** Where a listing stands, and what the next one needs of it: texts that another process reads. */

type Tokens = Record<string, string>

/** Where the change logs stood before everything was listed, by corpus. */
export type Since = {
  tokens: Tokens
  /** When everything was listed, in milliseconds since 1970. */
  listedAt: number
  /**
   * With chosen folders: files elsewhere that are there by a shortcut, whose changes count. Null where they are too many to
   * be remembered; any change might be of one then.
   */
  targets: string[] | null
  /** Stands for the chosen folders: with others, what is known says nothing. */
  chosen: string
}

/** Within a listing of everything. */
export type ListingPlace = Since & {
  pageToken: string | null
  /** How often a page was not known any more: also makes the place after it another one. */
  restarts: number
} & ({ kind: 'corpora'; corpus: string } | { kind: 'folders'; root: number; path: string[] })

/** Within the change logs. */
export type ChangesPlace = {
  /** Where the logs that are read already end. */
  tokens: Tokens
  corpus: string
  pageToken: string
}

export const write = (place: Since | ListingPlace | ChangesPlace): string => JSON.stringify(place)

// Only `write` has made these texts: they come back as they were given.
export const readSince = (text: string): Since => JSON.parse(text) as Since
export const readListing = (text: string): ListingPlace => JSON.parse(text) as ListingPlace
export const readChanges = (text: string): ChangesPlace => JSON.parse(text) as ChangesPlace

export const sinceOf = ({ tokens, listedAt, targets, chosen }: Since): string =>
  write({ tokens, listedAt, targets, chosen })
