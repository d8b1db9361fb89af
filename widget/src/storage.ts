/** What the page's storage keeps: for a tab, or for longer. */
type Place = 'sessionStorage' | 'localStorage'

export function recall(place: Place, name: string): string | null {
  try {
    return window[place].getItem(name)
  } catch {
    // Forbidden here, as in some private windows: nothing outlasts a reload.
    return null
  }
}

/** Null forgets. */
export function keep(place: Place, name: string, value: string | null): void {
  try {
    if (value === null) window[place].removeItem(name)
    else window[place].setItem(name, value)
  } catch {
    // As above.
  }
}
