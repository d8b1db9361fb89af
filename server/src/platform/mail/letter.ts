/** A mail of a few paragraphs, as text and as HTML. */
import { html } from '../text/html.ts'
import type { Mail } from './mailer.ts'

/** Each line is a paragraph; one that is an address becomes a link. */
export function letter(to: string, subject: string, lines: readonly string[]): Mail {
  const paragraphs = lines.map(line =>
    line.startsWith('http') ? html`<p><a href="${line}">${line}</a></p>` : html`<p>${line}</p>`,
  )
  return { to, subject, text: lines.join('\n\n'), html: html`${paragraphs}`.html }
}
