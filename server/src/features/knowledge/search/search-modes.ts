/** How a search can be asked to find: by words, by meaning, by both, or by whatever there is. */

export const searchModes = ['auto', 'text', 'vector', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]
