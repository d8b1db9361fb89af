/** The places of a sample that the page fills in, in the browser: the address of the server, and a key. */
import { escapeHtml, type Html } from '../../../platform/text/html.ts'

/** How each language, and the guides, name them; then whether what is filled in needs quotes. */
const spellings: readonly [spelling: string, name: 'key' | 'base' | 'origin', quote: string][] = [
  ["{os.environ['KEY']}", 'key', ''],
  ['os.environ["ATRIUM"]', 'base', '"'],
  [`\${process.env.KEY}`, 'key', ''],
  [`\${process.env.ATRIUM}`, 'base', ''],
  ['process.env.KEY', 'key', "'"],
  ['process.env.ATRIUM', 'base', "'"],
  ['$ATRIUM', 'base', ''],
  ['$KEY', 'key', ''],
  ['sk_test_…', 'key', ''],
  ['http://127.0.0.1:8787', 'origin', ''],
]

const pattern = new RegExp(
  spellings.map(([spelling]) => escapeHtml(spelling).replaceAll(/[$.{}[\]()]/g, '\\$&')).join('|'),
  'g',
)

/** The text as HTML, with each of these places in an element of its own. */
export function withVariables(text: string): Html {
  const marked = escapeHtml(text).replaceAll(pattern, found => {
    const [, name, quote] = spellings.find(([spelling]) => escapeHtml(spelling) === found) ?? []
    return `<var data-fill="${name}" data-quote="${escapeHtml(quote ?? '')}">${found}</var>`
  })
  return { html: marked }
}
