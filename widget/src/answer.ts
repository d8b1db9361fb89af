/** One turn of the conversation: what was said, what goes on, and what the person thinks of it. */
import type { Run } from '@atrium/sdk'
import { button, element } from './elements.ts'
import { renderMarkdown } from './markdown.ts'
import type { Words } from './words.ts'

type Rating = NonNullable<Run['feedback']>['rating']

export type Answer = ReturnType<typeof createAnswer>

export function createAnswer(author: string) {
  const text = element('div', { className: 'text' })
  const note = element('p', { className: 'note', hidden: true })
  const turn = turnOf('agent', author, text, note)
  let drawing = 0
  let latest = ''
  const write = (markdown: string, markSource: (number: string) => Node | null): void => {
    cancelAnimationFrame(drawing)
    drawing = 0
    text.replaceChildren(renderMarkdown(markdown, markSource))
  }
  return {
    turn,
    write,
    /** The answer so far, once a picture: the whole of it is read again, however many pieces came. */
    writeSoon(markdown: string, onDrawn: () => void) {
      latest = markdown
      if (drawing !== 0) return
      drawing = requestAnimationFrame(() => {
        write(latest, () => null)
        onDrawn()
      })
    },
    /** Says what goes on; null takes it away. */
    note(words: string | null, isPassing = false) {
      note.hidden = words === null
      note.className = isPassing ? 'note dots' : 'note'
      note.textContent = isPassing ? (words?.replace(/…$/, '') ?? '') : words
    },
    fail(words: string, tryAgain?: string, onTryAgain?: () => void) {
      note.hidden = false
      note.className = 'note fault'
      note.textContent = words
      note.role = 'alert'
      if (tryAgain === undefined || onTryAgain === undefined) return
      const again = element('button', { type: 'button', className: 'again', textContent: tryAgain })
      again.addEventListener('click', onTryAgain)
      turn.append(again)
    },
  }
}

export function turnOf(who: 'person' | 'agent', author: string, ...children: Node[]): HTMLElement {
  const name = element('span', { className: 'unseen', textContent: `${author}: ` })
  return element('div', { className: `turn ${who}` }, name, ...children)
}

/** Two buttons; what `give` refuses is taken back. */
export function createOpinion(
  words: Words,
  given: Rating | undefined,
  give: (rating: Rating) => Promise<unknown>,
): HTMLElement {
  const choices: [HTMLButtonElement, Rating][] = [
    [button('icon', words.helpful, 'thumb'), 'positive'],
    [button('icon', words.unhelpful, 'thumbDown'), 'negative'],
  ]
  let shown = given
  const show = (rating: Rating | undefined) => {
    shown = rating
    for (const [choice, of] of choices) choice.ariaPressed = String(of === rating)
  }
  for (const [choice, rating] of choices) {
    choice.addEventListener('click', () => {
      const before = shown
      show(rating)
      give(rating).catch(() => show(before))
    })
  }
  show(given)
  return element('div', { className: 'opinion' }, ...choices.map(([choice]) => choice))
}
