/**
 * `<atrium-chat agent="agt_…">`: a chat with one agent in any page. The page gives short-lived browser tokens, by the
 * property `getToken` or by the attribute `token-url`; a key of the workspace never comes into the page.
 *
 * Attributes: `agent`, `base-url` (where this script came from unless given), `token-url`, `heading`, `welcome`,
 * `conversation` (to go on with), `launcher` (a round button that opens the chat), `open`, `theme` (`light`, `dark`).
 * Properties: `getToken`, `tools` (functions that the agent may call), `words` (other languages).
 * Events: `atrium-answer` with `{ run }`, `atrium-conversation` with `{ conversationId }`, `atrium-error` with `{ error }`.
 */
import {
  ApiError,
  Atrium,
  ConnectionError,
  type Run,
  type RunFunction,
  type TokenProvider,
} from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { icon } from './icons.ts'
import { renderMarkdown } from './markdown.ts'
import { runToEnd } from './run-to-end.ts'
import { styles } from './styles.ts'
import { english, type Words } from './words.ts'

type Citation = Run['citations'][number]
type Running = { abort: AbortController; runId: string | null }

const scriptOrigin = new URL(import.meta.url).origin
const longestPrompt = 20_000
const earlierTurns = 50

export class AtriumChat extends HTMLElement {
  static readonly observedAttributes = ['open', 'heading']

  // A page may have set properties before this script came; they are taken over.
  /** Returns a browser token: asked for before the first question, and again before one ends. */
  getToken: TokenProvider | null = given(this, 'getToken') ?? null
  /** Functions of the page that the agent may call; they run here. */
  tools: Readonly<Record<string, RunFunction>> = given(this, 'tools') ?? {}

  readonly #root = this.attachShadow({ mode: 'open' })
  #words: Words = { ...english, ...given(this, 'words') }
  #client: Atrium | null = null
  #conversationId: string | null = null
  /** Null while no answer is being written. */
  #running: Running | null = null
  #parts: Parts | null = null

  get words(): Words {
    return this.#words
  }

  set words(words: Partial<Words>) {
    this.#words = { ...english, ...words }
    if (this.#parts !== null) this.#build()
  }

  connectedCallback(): void {
    if (this.#root.adoptedStyleSheets.length === 0) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
      this.#root.adoptedStyleSheets = [sheet]
    }
    this.#build()
    window.visualViewport?.addEventListener('resize', this.#fit)
    const conversation = this.getAttribute('conversation')
    if (conversation !== null) void this.#recall(conversation)
  }

  disconnectedCallback(): void {
    this.#running?.abort.abort()
    window.visualViewport?.removeEventListener('resize', this.#fit)
  }

  attributeChangedCallback(): void {
    if (this.#parts !== null) this.#show()
  }

  /** Forgets the conversation; the next question begins another. */
  startConversation(): void {
    this.#running?.abort.abort()
    this.#running = null
    this.#conversationId = null
    this.#build()
    this.#parts?.input.focus()
  }

  /** Asks, as if the person had typed it. */
  ask(prompt: string): void {
    if (prompt.trim() === '' || this.#running !== null) return
    void this.#answer(prompt.trim().slice(0, longestPrompt))
  }

  #build(): void {
    const { heading, open, close, newConversation, conversation, placeholder, send } = this.#words
    const launcher = button('launcher', open, 'chat')
    const title = element('h2', { textContent: this.getAttribute('heading') ?? heading })
    const begin = button('icon', newConversation, 'pen')
    const shut = button('icon', close, 'cross')
    const log = element('div', { className: 'log', role: 'log', tabIndex: 0, ariaLabel: conversation })
    const status = element('p', { className: 'unseen', role: 'status' })
    const input = element('textarea', {
      rows: 1,
      dir: 'auto',
      maxLength: longestPrompt,
      placeholder,
      ariaLabel: placeholder,
    })
    const submit = button('send', send, 'up')
    submit.type = 'submit'
    const form = element('form', {}, input, submit)
    const header = element('header', {}, title, begin, shut)
    const panel = element('section', { className: 'panel', role: 'region' }, header, log, status, form)
    panel.ariaLabel = title.textContent
    this.#parts = { launcher, panel, title, shut, log, status, input, submit }

    launcher.addEventListener('click', () => this.toggleAttribute('open'))
    shut.addEventListener('click', () => this.removeAttribute('open'))
    begin.addEventListener('click', () => this.startConversation())
    panel.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return
      const passage = panel.querySelector('.passage')
      if (passage instanceof HTMLElement) passage.dispatchEvent(new Event('shut'))
      else if (this.hasAttribute('launcher')) this.removeAttribute('open')
    })
    input.addEventListener('keydown', event => {
      // While an input method composes a character, Enter chooses it.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      form.requestSubmit()
    })
    form.addEventListener('submit', event => {
      event.preventDefault()
      if (this.#running !== null) return void this.#stop()
      this.ask(input.value)
      if (this.#running !== null) input.value = ''
    })
    const welcome = this.getAttribute('welcome')
    if (welcome !== null) log.append(turnOf('agent', this.#words.agent, textOf(welcome)))
    this.#root.replaceChildren(panel, launcher)
    this.#show()
  }

  /** The launcher and the panel, as the attributes say. */
  #show(): void {
    const parts = this.#parts
    if (parts === null) return
    const { launcher, panel, title, shut, input } = parts
    const floats = this.hasAttribute('launcher')
    const isOpen = !floats || this.hasAttribute('open')
    const wasOpen = !panel.hidden
    title.textContent = this.getAttribute('heading') ?? this.#words.heading
    launcher.hidden = !floats
    shut.hidden = !floats
    panel.hidden = !isOpen
    launcher.ariaExpanded = String(isOpen)
    if (!floats || wasOpen === isOpen) return
    if (isOpen) input.focus()
    else launcher.focus()
  }

  /** Above the keyboard of a phone. */
  readonly #fit = (): void => {
    const { height } = window.visualViewport ?? { height: window.innerHeight }
    this.#parts?.panel.style.setProperty('--visible-height', `${height}px`)
  }

  #connect(): Atrium {
    this.#client ??= new Atrium({
      baseUrl: this.getAttribute('base-url') ?? scriptOrigin,
      apiKey: async () => {
        if (this.getToken !== null) return this.getToken()
        const url = this.getAttribute('token-url')
        if (url === null) throw new Error('<atrium-chat> needs getToken or token-url')
        const reply = await fetch(url, { method: 'POST', credentials: 'same-origin' })
        if (!reply.ok) throw new Error(`${url} answered ${reply.status} instead of a token`)
        return reply.json()
      },
    })
    return this.#client
  }

  async #recall(conversationId: string): Promise<void> {
    try {
      const { items } = await this.#connect()
        .conversations.runs(conversationId, { pageSize: earlierTurns })
        .page()
      this.#conversationId = conversationId
      for (const run of items.toReversed()) {
        this.#addPerson(run.prompt ?? '')
        const answer = this.#addAgent()
        this.#finish(answer, await this.#connect().runs.get(run.id))
      }
    } catch (error) {
      // A conversation that has gone is no fault of the person: they begin another.
      this.#tell('atrium-error', { error })
    }
  }

  async #answer(prompt: string): Promise<void> {
    const abort = new AbortController()
    const running: Running = { abort, runId: null }
    this.#running = running
    this.#addPerson(prompt)
    const answer = this.#addAgent()
    this.#busy(true)
    answer.note(this.#words.thinking, true)
    let text = ''
    try {
      const run = await runToEnd({
        atrium: this.#connect(),
        agentId: this.getAttribute('agent') ?? '',
        request: withoutUndefined({
          prompt,
          conversationId: this.#conversationId ?? undefined,
          tools: this.tools,
        }),
        signal: abort.signal,
        onBreak: () => answer.note(this.#words.reconnecting, true),
        onEvent: event => {
          running.runId = event.runId
          // What a step wrote before it called a tool, or before it began again, is no part of the answer.
          if (event.type === 'step.started' || event.type === 'step.restarted') text = ''
          if (event.type === 'text.delta') text += event.text
          if (event.type === 'run.waiting') answer.note(this.#words.waiting, true)
          else answer.note(text === '' ? this.#words.thinking : null, true)
          answer.writeSoon(text, () => this.#follow())
        },
      })
      this.#finish(answer, run)
      this.#parts?.status.replaceChildren(this.#words.answered)
      if (run.conversationId !== this.#conversationId) {
        this.#conversationId = run.conversationId
        this.#tell('atrium-conversation', { conversationId: run.conversationId })
      }
      this.#tell('atrium-answer', { run })
    } catch (error) {
      if (abort.signal.aborted) return
      answer.fail(wordsOf(error, this.#words), this.#words.tryAgain, () => {
        answer.turn.remove()
        this.#parts?.log.lastElementChild?.remove()
        this.ask(prompt)
      })
      this.#tell('atrium-error', { error })
    } finally {
      if (this.#running === running) {
        this.#running = null
        this.#busy(false)
        this.#follow()
      }
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running
    if (running === null) return
    // Before the run is known there is nothing to stop but the request.
    if (running.runId === null) return this.startConversation()
    await this.#connect()
      .runs.cancel(running.runId)
      .catch(error => this.#tell('atrium-error', { error }))
  }

  #busy(isBusy: boolean): void {
    const { submit, log } = this.#parts ?? {}
    if (submit === undefined || log === undefined) return
    submit.replaceChildren(icon(isBusy ? 'stop' : 'up'))
    submit.ariaLabel = isBusy ? this.#words.stop : this.#words.send
    submit.title = submit.ariaLabel
    // A screen reader waits for the whole answer.
    log.ariaBusy = String(isBusy)
  }

  #addPerson(prompt: string): void {
    const text = textOf(prompt)
    this.#parts?.log.append(turnOf('person', this.#words.you, text))
    this.#follow(true)
  }

  #addAgent(): Answer {
    const answer = createAnswer(this.#words.agent)
    this.#parts?.log.append(answer.turn)
    return answer
  }

  #finish(answer: Answer, run: Run): void {
    const { words } = this
    const titles = titlesOf(run)
    const open = (marker: string, from: HTMLElement) =>
      this.#openPassage(
        marker,
        run.citations.filter(citation => citation.marker === marker),
        titles,
        from,
      )
    answer.note(null)
    if (run.status === 'succeeded') {
      answer.write(run.output ?? '', number => {
        const marker = `[${number}]`
        if (!run.citations.some(citation => citation.marker === marker)) return null
        const mark = element('button', { type: 'button', className: 'mark', textContent: number })
        mark.ariaLabel = `${words.source} ${number}`
        mark.addEventListener('click', () => open(marker, mark))
        return mark
      })
      const sources = [
        ...new Map(run.citations.toReversed().map(one => [one.marker, one])).values(),
      ].toReversed()
      if (sources.length > 0) answer.turn.append(this.#chipsOf(sources, titles, open))
      answer.turn.append(this.#opinionOn(run))
    } else if (run.status === 'cancelled') answer.note(words.stopped)
    else answer.fail(run.error?.code === 'budget_exceeded' ? words.usedUp : words.failed)
  }

  #chipsOf(
    sources: readonly Citation[],
    titles: ReadonlyMap<string, string>,
    open: (marker: string, from: HTMLElement) => void,
  ): HTMLElement {
    const list = element('ul', { className: 'chips', ariaLabel: this.#words.sources })
    list.append(
      ...sources.map(({ marker, documentId }) => {
        const title = element('span', {
          textContent: titles.get(documentId) ?? this.#words.document,
          dir: 'auto',
        })
        const number = element('b', { textContent: marker.replace(/\D/g, '') })
        const chip = element('button', { type: 'button', className: 'chip' }, number, title)
        chip.addEventListener('click', () => open(marker, chip))
        return element('li', {}, chip)
      }),
    )
    return list
  }

  #opinionOn({ id, feedback }: Run): HTMLElement {
    const box = element('div', { className: 'opinion' })
    const up = button('icon', this.#words.helpful, 'thumb')
    const down = button('icon', this.#words.unhelpful, 'thumbDown')
    const mark = (rating: string | undefined) => {
      up.ariaPressed = String(rating === 'positive')
      down.ariaPressed = String(rating === 'negative')
    }
    for (const [one, rating] of [
      [up, 'positive'],
      [down, 'negative'],
    ] as const) {
      one.addEventListener('click', () => {
        const before =
          up.ariaPressed === 'true' ? 'positive' : down.ariaPressed === 'true' ? 'negative' : undefined
        mark(rating)
        this.#connect()
          .runs.giveFeedback(id, { rating })
          .catch(error => {
            mark(before)
            this.#tell('atrium-error', { error })
          })
      })
    }
    mark(feedback?.rating)
    box.append(up, down)
    return box
  }

  /** The words that an answer rests on, over the conversation; the focus goes there and back. */
  #openPassage(
    marker: string,
    citations: readonly Citation[],
    titles: ReadonlyMap<string, string>,
    from: HTMLElement,
  ): void {
    const { source, page, document: untitled, back } = this.#words
    const shut = button('icon', back, 'cross')
    const title = element('h2', { textContent: `${source} ${marker.replace(/\D/g, '')}` })
    const body = element('div', { tabIndex: 0 })
    for (const citation of citations) {
      body.append(
        element('b', { textContent: titles.get(citation.documentId) ?? untitled, dir: 'auto' }),
        element('blockquote', { textContent: citation.quote, dir: 'auto' }),
        element('p', {
          className: 'note',
          textContent: citation.page === null ? '' : `${page} ${citation.page}`,
        }),
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
    this.#parts?.panel.append(passage)
    shut.focus()
  }

  /** Keeps the end in sight, unless the person reads further up. */
  #follow(always = false): void {
    const log = this.#parts?.log
    if (log === undefined) return
    if (always || log.scrollHeight - log.scrollTop - log.clientHeight < 120) log.scrollTop = log.scrollHeight
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** What the page has set on the element while it was none of ours; it must not hide the property of the class. */
function given<Name extends 'getToken' | 'tools' | 'words'>(
  of: HTMLElement,
  name: Name,
): AtriumChat[Name] | undefined {
  const value = Object.getOwnPropertyDescriptor(of, name)?.value
  delete (of as unknown as Record<string, unknown>)[name]
  return value
}

type Parts = {
  launcher: HTMLButtonElement
  panel: HTMLElement
  title: HTMLElement
  shut: HTMLButtonElement
  log: HTMLElement
  status: HTMLElement
  input: HTMLTextAreaElement
  submit: HTMLButtonElement
}

type Answer = ReturnType<typeof createAnswer>

function createAnswer(author: string) {
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

function turnOf(who: 'person' | 'agent', author: string, ...children: Node[]): HTMLElement {
  const name = element('span', { className: 'unseen', textContent: `${author}: ` })
  return element('div', { className: `turn ${who}` }, name, ...children)
}

const textOf = (text: string): HTMLElement => element('div', { textContent: text, dir: 'auto' })

function wordsOf(error: unknown, words: Words): string {
  if (error instanceof ConnectionError) return words.unreachable
  if (!(error instanceof ApiError)) return words.failed
  if (error.statusCode === 401) return words.ended
  if (/budget|limit/.test(error.code) && error.code !== 'rate_limited') return words.usedUp
  return error.statusCode === 429 || error.statusCode === 503 ? words.tooMany : words.failed
}

/** The titles of the documents that the run's searches have shown, by id. */
function titlesOf({ steps }: Run): Map<string, string> {
  const titles = new Map<string, string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { documentId, title } = value as Record<string, unknown>
    if (typeof documentId === 'string' && typeof title === 'string' && title !== '')
      titles.set(documentId, title)
    Object.values(value).forEach(walk)
  }
  walk(steps)
  return titles
}

function button(className: string, label: string, shape: Parameters<typeof icon>[0]): HTMLButtonElement {
  const made = element('button', { type: 'button', className, ariaLabel: label, title: label })
  made.append(icon(shape))
  return made
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

if (customElements.get('atrium-chat') === undefined) customElements.define('atrium-chat', AtriumChat)
