/** What an answer rests on: its markers, a list of sources, and the passage behind each. */
import type { Run } from '@atrium/sdk'
import { titlesOf } from '@atrium/sdk/records'
import { button, element } from './elements.ts'
import type { MarkSource } from './markdown.ts'
import type { Words } from './words.ts'

export type Cited = Pick<Run, 'steps' | 'citations'>

/** `show` puts a passage over the conversation; the focus goes there and back. */
export function createSources(
  run: Cited,
  words: Words,
  show: (passage: HTMLElement) => void,
): { mark: MarkSource; list: HTMLElement | null } {
  const { citations } = run
  const titles = titlesOf(run)
  const titleOf = (documentId: string): string => titles.get(documentId) ?? words.document
  const open = (marker: string, from: HTMLElement): void => {
    const shut = button('icon', words.back, 'cross')
    const title = element('h2', { textContent: `${words.source} ${numberOf(marker)}` })
    const body = element('div', { tabIndex: 0 })
    for (const { documentId, quote, page } of citations.filter(one => one.marker === marker)) {
      body.append(
        element('b', { textContent: titleOf(documentId), dir: 'auto' }),
        element('blockquote', { textContent: quote, dir: 'auto' }),
        element('p', { className: 'note', textContent: page === null ? '' : `${words.page} ${page}` }),
      )
    }
    const passage = element('section', { className: 'passage' }, element('header', {}, title, shut), body)
    passage.role = 'dialog'
    passage.ariaLabel = title.textContent
    const close = () => {
      passage.remove()
      from.focus()
    }
    passage.addEventListener('shut', close)
    shut.addEventListener('click', close)
    show(passage)
    shut.focus()
  }
  return {
    mark(number) {
      const marker = `[${number}]`
      if (!citations.some(citation => citation.marker === marker)) return null
      const mark = element('button', { type: 'button', className: 'mark', textContent: number })
      mark.ariaLabel = `${words.source} ${number}`
      mark.addEventListener('click', () => open(marker, mark))
      return mark
    },
    list: citations.length === 0 ? null : listOf(citations, { words, titleOf, open }),
  }
}

/** The first citation of each marker. */
function listOf(
  citations: Run['citations'],
  {
    words,
    titleOf,
    open,
  }: {
    words: Words
    titleOf: (documentId: string) => string
    open: (marker: string, from: HTMLElement) => void
  },
): HTMLElement {
  const sources = new Map(citations.toReversed().map(one => [one.marker, one]))
  const items = [...sources.values()].toReversed().map(({ marker, documentId }) => {
    const title = element('span', { textContent: titleOf(documentId), dir: 'auto' })
    const number = element('b', { textContent: numberOf(marker) })
    const chip = element('button', { type: 'button', className: 'chip' }, number, title)
    chip.addEventListener('click', () => open(marker, chip))
    return element('li', {}, chip)
  })
  return element('ul', { className: 'chips', ariaLabel: words.sources }, ...items)
}

const numberOf = (marker: string): string => marker.replace(/\D/g, '')
