/**
 * `<atrium-chat agent="agt_…">`: a chat with one agent in any page. The page gives short-lived browser tokens, by the
 * property `getToken` or by the attribute `token-url`; without them, the agent's public chat gives its own. A key of the
 * workspace never comes into the page.
 *
 * Attributes: `agent`, `base-url` (where this script came from unless given), `token-url`, `heading`, `welcome`,
 * `conversation` (to go on with; else the tab's own), `launcher` (a round button that opens the chat), `open`, `theme`
 * (`light`, `dark`).
 * Properties: `getToken`, `tools` (functions that the agent may call), `words` (other languages).
 * Events: `atrium-answer` with `{ run }`, `atrium-conversation` with `{ conversationId }`, `atrium-error` with `{ error }`.
 */
import { ApiError, Atrium, type Run, type RunFunction, type Token, type TokenProvider } from '@atrium/sdk'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Answer, createAnswer, createOpinion, turnOf } from './answer.ts'
import { button, element, icon, textOf } from './elements.ts'
import { type Question, runToEnd } from './run-to-end.ts'
import { type Cited, createSources } from './sources.ts'
import { keep, recall } from './storage.ts'
import { styles } from './styles.ts'
import { tokenFrom, visitorToken } from './tokens.ts'
import { english, type Words, wordsOf } from './words.ts'

type Running = { abort: AbortController; runId: string | null }
type Shown = Cited & Pick<Run, 'id' | 'status' | 'output' | 'feedback' | 'error'>
type Turn = { prompt: string; asked: HTMLElement; answer: Answer }

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
  /** Ends once the log shows what was said before it was built; null while it is not asked for. */
  #recalled: Promise<void> | null = null
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
    this.#conversationId ??= this.getAttribute('conversation') ?? recall('sessionStorage', this.#keptName)
    this.#build()
    window.visualViewport?.addEventListener('resize', this.#fit)
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
    this.#converse(null)
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
      else if (this.#running !== null) void this.#stop()
      else if (this.hasAttribute('launcher')) this.removeAttribute('open')
    })
    input.addEventListener('keydown', event => {
      // While an input method composes a character, Enter chooses it. Safari tells it by the key code alone.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
      event.preventDefault()
      // The person has typed the next question ahead: it stays until the answer is there, which Enter must not stop.
      if (this.#running === null) form.requestSubmit()
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
    this.#recalled = null
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
    if (isOpen) this.#recallOnce()
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
    this.#client ??= new Atrium({ baseUrl: this.#baseUrl, apiKey: () => this.#token() })
    return this.#client
  }

  get #baseUrl(): string {
    return this.getAttribute('base-url') ?? scriptOrigin
  }

  async #token(): Promise<string | Token> {
    if (this.getToken !== null) return this.getToken()
    const url = this.getAttribute('token-url')
    if (url !== null) return tokenFrom(url)
    const [agentId, parentOrigin] = [this.getAttribute('agent') ?? '', this.getAttribute('parent-origin')]
    return visitorToken({ baseUrl: this.#baseUrl, agentId, parentOrigin })
  }

  /** Once the conversation is seen: most pages of a site are left without a look at it. */
  #recallOnce(): void {
    if (this.#recalled !== null || this.#running !== null) return
    const conversationId = this.#conversationId
    this.#recalled = conversationId === null ? Promise.resolve() : this.#recall(conversationId)
  }

  async #recall(conversationId: string): Promise<void> {
    const log = this.#parts?.log
    const atrium = this.#connect()
    try {
      const query = { pageSize: earlierTurns, expand: 'steps,citations' }
      const { items } = await atrium.conversations.runs(conversationId, query).page()
      // The person has begun another one meanwhile.
      if (this.#parts?.log !== log) return
      for (const run of items.toReversed()) {
        const turn = this.#addTurn(run.prompt ?? '')
        if (run.finishedAt !== null) this.#finish(turn.answer, { steps: [], citations: [], ...run })
        else void this.#goOn(turn, run.id)
      }
    } catch (error) {
      if (this.#parts?.log !== log) return
      // A conversation that has gone is no fault of the person: they begin another.
      if (isGone(error)) this.#converse(null)
      if (this.hasAttribute('conversation')) this.#tell('atrium-error', { error })
    }
  }

  /** The conversation goes on after a reload of this tab, unless the page itself says which one to go on with. */
  #converse(conversationId: string | null): void {
    if (conversationId === this.#conversationId) return
    this.#conversationId = conversationId
    if (!this.hasAttribute('conversation')) keep('sessionStorage', this.#keptName, conversationId)
    if (conversationId !== null) this.#tell('atrium-conversation', { conversationId })
  }

  get #keptName(): string {
    return `atrium-conversation ${this.getAttribute('agent')}`
  }

  async #answer(prompt: string): Promise<void> {
    this.#recallOnce()
    const running = this.#begin(null)
    await this.#recalled
    if (running.abort.signal.aborted) return this.#end(running)
    await this.#write(this.#addTurn(prompt), running, ({ tools, ...options }) => {
      const conversationId = this.#conversationId ?? undefined
      const request = withoutUndefined({ prompt, conversationId, tools })
      return this.#connect().agents.stream(this.getAttribute('agent') ?? '', request, options)
    })
  }

  /** Writes the answer of a run that has begun before. */
  #goOn(turn: Turn, runId: string): Promise<void> {
    return this.#write(turn, this.#begin(runId), options => this.#connect().runs.follow(runId, options))
  }

  #begin(runId: string | null): Running {
    const running: Running = { abort: new AbortController(), runId }
    this.#running ??= running
    this.#busy(true)
    return running
  }

  #end(running: Running): void {
    if (this.#running !== running) return
    this.#running = null
    this.#busy(false)
    this.#follow()
  }

  async #write({ prompt, asked, answer }: Turn, running: Running, begin: Question['begin']): Promise<void> {
    const { signal } = running.abort
    const atrium = this.#connect()
    answer.note(this.#words.thinking, true)
    let text = ''
    const question: Question = {
      atrium,
      begin,
      tools: this.tools,
      signal,
      onBreak: () => answer.note(this.#words.reconnecting, true),
      onEvent: event => {
        // Known before the end: a person may leave the page in the middle of the answer.
        if (running.runId === null && this.#conversationId === null) void this.#learn(event.runId, signal)
        running.runId = event.runId
        // What a step wrote before it called a tool, or before it began again, is no part of the answer.
        if (event.type === 'step.started' || event.type === 'step.restarted') text = ''
        if (event.type === 'text.delta') text += event.text
        if (event.type === 'run.waiting') answer.note(this.#waitOf(event.run), true)
        else answer.note(text === '' ? this.#words.thinking : null, true)
        answer.writeSoon(text, () => this.#follow())
      },
    }
    try {
      const run = await runToEnd(question).catch(error => {
        if (this.#conversationId === null || !isWithoutConversation(error)) throw error
        this.#converse(null)
        return runToEnd(question)
      })
      this.#finish(answer, run)
      this.#parts?.status.replaceChildren(endOf(run, this.#words))
      // Unless the person has begun another one meanwhile.
      if (answer.turn.isConnected) this.#converse(run.conversationId)
      this.#tell('atrium-answer', { run })
    } catch (error) {
      if (signal.aborted) return
      answer.fail(wordsOf(error, this.#words), this.#words.tryAgain, () => {
        if (this.#running !== null) return
        asked.remove()
        answer.turn.remove()
        // A run that has begun may still go on: to ask again would do the same twice.
        if (running.runId === null || isGone(error)) this.ask(prompt)
        else void this.#goOn(this.#addTurn(prompt), running.runId)
      })
      this.#tell('atrium-error', { error })
    } finally {
      this.#end(running)
    }
  }

  async #learn(runId: string, signal: AbortSignal): Promise<void> {
    // The end of the run tells it as well.
    const run = await this.#connect()
      .runs.get(runId, { signal })
      .catch(() => null)
    if (run !== null && !signal.aborted) this.#converse(run.conversationId)
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

  #addTurn(prompt: string): Turn {
    const asked = turnOf('person', this.#words.you, textOf(prompt))
    this.#parts?.log.append(asked)
    this.#follow(true)
    const answer = createAnswer(this.#words.agent)
    this.#parts?.log.append(answer.turn)
    return { prompt, asked, answer }
  }

  #finish(answer: Answer, run: Shown): void {
    const { words } = this
    answer.note(null)
    if (run.status === 'succeeded') {
      const { mark, list } = createSources(run, words, passage => this.#parts?.panel.append(passage))
      answer.write(run.output ?? '', mark)
      if (list !== null) answer.turn.append(list)
      answer.turn.append(
        createOpinion(words, run.feedback?.rating, async rating => {
          const given = this.#connect().runs.giveFeedback(run.id, { rating })
          given.catch(error => this.#tell('atrium-error', { error }))
          await given
        }),
      )
    } else if (run.status === 'cancelled') answer.note(endOf(run, words))
    else answer.fail(endOf(run, words))
  }

  /** A function of this page waits for no person. */
  #waitOf({ pendingApprovals }: Pick<Run, 'pendingApprovals'>): string {
    return pendingApprovals.length > 0 ? this.#words.waiting : this.#words.lookingUp
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

function endOf({ status, error }: Pick<Run, 'status' | 'error'>, words: Words): string {
  if (status === 'succeeded') return words.answered
  if (status === 'cancelled') return words.stopped
  return error?.code === 'budget_exceeded' ? words.usedUp : words.failed
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.statusCode === 404

/** A conversation ends with the time that it is kept for, or is another visitor's. */
const isWithoutConversation = (error: unknown): boolean =>
  error instanceof ApiError && error.errors.some(({ field }) => field === 'conversationId')

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

if (customElements.get('atrium-chat') === undefined) customElements.define('atrium-chat', AtriumChat)
