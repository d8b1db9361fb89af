/** Where the focus goes when a dialog closes: to what it was opened by, also where that was an entry of a menu that is gone. */
import { useState } from 'react'

let lastFocused: HTMLElement | null = null

document.addEventListener('focusin', ({ target }) => {
  const isKept = target instanceof HTMLElement && target.closest('[role=menu]') === null
  if (isKept) lastFocused = target
})

/** For a component that is there while the dialog is open; hand the result to Radix as `onCloseAutoFocus`. */
export function useFocusReturn(): (event: Event) => void {
  const [origin] = useState(lastFocused)
  return event => {
    if (origin?.isConnected !== true) return
    event.preventDefault()
    origin.focus()
  }
}
