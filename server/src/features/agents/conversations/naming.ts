/** What a conversation is called until somebody gives it a name. */

const mostCharacters = 60

/** The first words of a prompt, in one line. */
export function nameOf(prompt: string): string {
  const words = prompt.trim().split(/\s+/, mostCharacters)
  const line = words.join(' ')
  if (line.length <= mostCharacters) return line
  const cut = line.slice(0, mostCharacters)
  const lastSpace = cut.lastIndexOf(' ')
  return `${(lastSpace > 0 ? cut.slice(0, lastSpace) : cut).toWellFormed()} …`
}
