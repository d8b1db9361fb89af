/** The styles of an RTF document: which of them are headings, and of which level. */

export function createStyles() {
  const levels = new Map<number, number>()
  let open = { number: 0, level: 0, name: '' }
  return {
    /** From 1; 0 of what is no heading. */
    levelOf: (number: number): number => levels.get(number) ?? 0,
    begin(number: number): void {
      open = { number, level: 0, name: '' }
    },
    setLevel(level: number): void {
      open.level = level
    },
    /** The style's name, which a semicolon ends. Word names its headings in English, whatever its language is. */
    text(text: string): void {
      open.name += text
      if (!open.name.includes(';')) return
      const named = /^\s*(?:heading (\d)|title\s*;)/i.exec(open.name)
      const level = named === null ? open.level : Number(named[1] ?? 1)
      if (level > 0) levels.set(open.number, level)
      open = { number: 0, level: 0, name: '' }
    },
  }
}
