/** What a model's server says that it read and wrote: its word alone, so it is kept to what can be. */

/** More than any model reads at once. Sums over many calls stay whole numbers in every database. */
const mostTokens = 100_000_000

/** A whole number that can be added up: 0 where the server named none, or none that can be. */
export const countedTokens = (told: number | undefined): number =>
  told === undefined || !(told > 0) ? 0 : Math.min(mostTokens, Math.round(told))
