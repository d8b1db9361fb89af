/** The texts of token numbers, as programs send them that count tokens themselves: OpenAI's encoding `cl100k_base`. */

export type TokenTexts = {
  /** The text of the tokens; bytes that are no character become U+FFFD. Null if one of them is no token. */
  textOf(tokens: readonly unknown[]): string | null
}

let loaded: Promise<TokenTexts> | null = null

/** Loads the table at the first call: it takes some megabytes, and few programs send tokens. */
export const loadTokenTexts = (): Promise<TokenTexts> => {
  loaded ??= load()
  return loaded
}

async function load(): Promise<TokenTexts> {
  const { default: encoding } = await import('js-tiktoken/ranks/cl100k_base')
  const table = bytesByToken(encoding.bpe_ranks)
  return {
    textOf(tokens) {
      const pieces: Buffer[] = []
      for (const token of tokens) {
        const bytes = typeof token === 'number' ? table[token] : undefined
        if (bytes === undefined) return null
        pieces.push(Buffer.from(bytes, 'base64'))
      }
      return Buffer.concat(pieces).toString('utf8')
    },
  }
}

/** The table is one text: a mark, the number of the first token, and the bytes of each token in base64. */
function bytesByToken(ranks: string): string[] {
  const [, first, ...table] = ranks.split(' ')
  if (first !== '0') throw new Error('The table of tokens begins with another number than 0')
  return table
}
