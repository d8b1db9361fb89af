/** From what a browser calls itself to what a person calls it; only a hint, since every browser may say what it likes. */

/** The order matters: Edge and Chrome call themselves Safari too. */
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox on Linux`. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const nameOf = (known: readonly [RegExp, string][]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameOf(browsers) ?? userAgent.slice(0, 40)
  const system = nameOf(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
