/** Notion's rich text as Markdown: https://developers.notion.com/reference/rich-text */

export type RichText = {
  type: string
  plain_text: string
  href?: string | null
  annotations?: { bold?: boolean; italic?: boolean; strikethrough?: boolean; code?: boolean }
}

export const plainText = (texts: readonly RichText[] = []): string =>
  texts.map(text => text.plain_text).join('')

export const markdownOf = (texts: readonly RichText[] = []): string => texts.map(pieceOf).join('')

function pieceOf({ type, plain_text: text, href, annotations = {} }: RichText): string {
  // Marks that touch a space are none in Markdown.
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  const [before, after] = [text.slice(0, start), text.slice(start + inner.length)]
  const { bold, italic, strikethrough, code } = annotations
  let marked = type === 'equation' ? `$${inner}$` : inner
  if (code) marked = `\`${marked}\``
  if (bold) marked = `**${marked}**`
  if (italic) marked = `*${marked}*`
  if (strikethrough) marked = `~~${marked}~~`
  // A mention's address leads to people and pages of the workspace by relative paths.
  if (href?.startsWith('http')) marked = `[${marked}](${href})`
  return `${before}${marked}${after}`
}
