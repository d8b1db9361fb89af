/** The code blocks of a page of the documentation, and what a reader does with each of them. */

/** `sh` is pasted into a shell; `text` and `json` show what the block before them prints. */
const languages = ['sh', 'ts', 'js', 'json', 'text'] as const
type Language = (typeof languages)[number]

export type Block = {
  /** The page's path from the root of the repository. */
  page: string
  /** Of the first line within the fence. */
  line: number
  language: Language
  code: string
  /** Where the reader saves it, as a shell writes it: the second word of the fence. */
  file: string | null
  /** Why no test runs it: a comment of the page says that on the line before the fence. */
  notRun: string | null
}

const notRunMark = /^\s*<!-- Not run by the tests: (.+) -->$/

/** Throws if a block has no language, or another one than those. */
export function readBlocks(page: string, markdown: string): Block[] {
  const blocks: Block[] = []
  let open: (Omit<Block, 'page' | 'code'> & { lines: string[] }) | null = null
  const texts = markdown.split('\n')
  for (const [index, text] of texts.entries()) {
    const [, words] = /^\s*```(.*)$/.exec(text) ?? []
    if (words === undefined) {
      open?.lines.push(text)
    } else if (open === null) {
      const [language = '', file = null] = words.trim().split(/\s+/)
      const [, notRun = null] = notRunMark.exec(texts[index - 1] ?? '') ?? []
      open = { line: index + 2, language: known(language, `${page}:${index + 1}`), file, notRun, lines: [] }
    } else {
      const { lines, ...rest } = open
      if (rest.language === 'sh') checkComments(lines, page, rest.line)
      blocks.push({ page, ...rest, code: `${lines.join('\n')}\n` })
      open = null
    }
  }
  if (open !== null) throw new Error(`${page}:${open.line}: the block has no end`)
  return blocks
}

/** zsh, the shell of macOS, takes a comment that is pasted for a command, and does what such characters say. */
function checkComments(lines: readonly string[], page: string, line: number): void {
  const index = lines.findIndex(text => /^\s*#.*["'`$()*?<>|&;![\]{}~\\]/.test(text))
  if (index < 0) return
  throw new Error(`${page}:${line + index}: a comment in a block has a character that zsh acts on`)
}

function known(word: string, place: string): Language {
  const language = languages.find(name => name === word)
  if (language !== undefined) return language
  const fault = word === '' ? 'the block has no language' : `${word} is no language of blocks`
  throw new Error(`${place}: ${fault}; write one of ${languages.join(', ')} behind the fence`)
}

/** What a block of the shell announces to fail, in comments such as `# → 409` or `# → exit code 18`, in order. */
export const announcedFailures = ({ code }: Block): string[] =>
  [...code.matchAll(/^\s*#.*→ (\d{3}|exit code \d+)/gm)].map(([, outcome = '']) => outcome)
