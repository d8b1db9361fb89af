/** For lists that may be too long to be the arguments of a call. Infinity for an empty list. */
export function least<Item>(items: Iterable<Item>, numberOf: (item: Item) => number): number {
  let found = Number.POSITIVE_INFINITY
  for (const item of items) found = Math.min(found, numberOf(item))
  return found
}

/** Minus infinity for an empty list. */
export const most = <Item>(items: Iterable<Item>, numberOf: (item: Item) => number): number =>
  -least(items, item => -numberOf(item))

/** 0 for an empty list. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0
