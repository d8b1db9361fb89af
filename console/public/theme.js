// Before the first paint, so that a chosen theme does not flash; without a choice the system's holds.
try {
  const theme = localStorage.getItem('atrium.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; the system's theme is right then.
}
