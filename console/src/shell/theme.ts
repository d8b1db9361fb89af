/** Light, dark, or as the system is; kept in this browser. `public/theme.js` sets it before the first paint. */
import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const key = 'atrium.theme'
const listeners = new Set<() => void>()

const read = (): Theme => {
  const theme = document.documentElement.dataset.theme
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(key, theme)
    document.documentElement.dataset.theme = theme
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): [Theme, (theme: Theme) => void] => [
  useSyncExternalStore(subscribe, read),
  chooseTheme,
]
