/** The few HTML pages that the server itself shows: no script, nothing from elsewhere, every text escaped. */
import { createHash } from 'node:crypto'

/** HTML that is safe to put into a page: made by `html` only. */
export type Html = { readonly html: string }

/** A page as it leaves the server, with the headers that it must be sent with. */
export type Page = { status: number; headers: Record<string, string>; body: string }

/** What a template takes: texts, which it escapes, and HTML. Null, undefined and false show nothing. */
type Piece = string | number | Html | null | undefined | false | readonly Piece[]

/** `html\`<p>${text}</p>\``: texts are escaped, `Html` and lists of it are not. */
export function html(pieces: TemplateStringsArray, ...values: Piece[]): Html {
  const filled = pieces.map((piece, index) => piece + (index < values.length ? inserted(values[index]) : ''))
  return { html: filled.join('') }
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/**
 * A page that is not cached, cannot be framed, and sends no referrer to other servers. Its forms lead to this server,
 * and from there at most to `formTargets`.
 */
export function page(
  status: number,
  title: string,
  content: Html,
  formTargets: readonly string[] = [],
): Page {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return {
    status,
    headers: { ...headers, 'content-security-policy': policyOf(formTargets) },
    body: body.html,
  }
}

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; }
main { box-sizing: border-box; width: min(32rem, 100%); padding: 2rem 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.3; overflow-wrap: anywhere; }
blockquote { margin: 1.5rem 0; padding-left: 1rem; border-left: 3px solid; overflow-wrap: anywhere; white-space: pre-line; }
label, input { display: block; width: 100%; box-sizing: border-box; }
input { margin: 0.25rem 0 1.5rem; padding: 0.6rem; font: inherit; }
button { padding: 0.6rem 1.2rem; font: inherit; cursor: pointer; }
form + form { margin-top: 1rem; }
.error { font-weight: 600; }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Browsers also apply a form's policy to the redirects that follow it. */
const policyOf = (formTargets: readonly string[]): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${["'self'", ...formTargets].join(' ')}; base-uri 'none'; frame-ancestors 'none'`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Without any referrer, a form would not say where it comes from either.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

function inserted(value: Piece): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'html' in value ? value.html : value.map(inserted).join('')
}
