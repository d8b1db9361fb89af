/** The script of every page of the reference: the language, the key, samples, fields on demand, calls from the page. */

const keyInput = document.querySelector('#key')
const keyNote = document.querySelector('#key-note')
const baseUrl = `${location.origin}${document.body.dataset.base}`
const keySlot = 'atrium-key'
const languageSlot = 'atrium-language'
const languages = ['curl', 'typescript', 'python']
let isFilled = false

followOldLink()
setLanguage(localStorage.getItem(languageSlot) ?? 'curl')
// The tab's own storage: deleted when the tab is closed, and never sent automatically.
setKey(sessionStorage.getItem(keySlot) ?? '')

// The menu is longer than the window.
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' })

keyInput.addEventListener('input', () => setKey(keyInput.value.trim()))

document.addEventListener('click', event => {
  const button = event.target.closest('button')
  if (button?.matches('.switch button')) setLanguage(button.dataset.language)
  if (button?.matches('[data-copy]')) void copy(button)
  if (button?.id === 'menu-button') toggleMenu(button)
})

// The event does not bubble, so it is caught on its way down.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.dataset.schema !== undefined) void loadFields(target)
  },
  true,
)

document.addEventListener('submit', event => {
  event.preventDefault()
  if (event.target.matches('.try form'))
    void send(event.target, event.target.parentElement.querySelector('output'))
})

// The search and its index are loaded when somebody begins to search.
const find = document.querySelector('#find')
find.addEventListener('focus', () => void import('/docs/search.js'), { once: true })
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return
  event.preventDefault()
  find.focus()
})

/** The reference was one page once: its links to an operation lead to the start page, which lists them all. */
function followOldLink() {
  const link =
    location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (link?.matches('main a[href]')) location.replace(link.href)
}

function setLanguage(wanted) {
  const language = languages.includes(wanted) ? wanted : 'curl'
  document.documentElement.dataset.language = language
  localStorage.setItem(languageSlot, language)
  for (const button of document.querySelectorAll('.switch button')) {
    const pressed = String(button.dataset.language === language)
    // The page comes with its first language pressed; an attribute that is set is styled again, even if it is the same.
    if (button.getAttribute('aria-pressed') !== pressed) button.setAttribute('aria-pressed', pressed)
  }
}

/** Fills the key, and with it the address, into all samples. */
function setKey(key) {
  // What has other characters is no key, and could end the text that it stands in.
  const isKey = /^[\w-]{8,200}$/.test(key)
  if (isKey) sessionStorage.setItem(keySlot, key)
  else sessionStorage.removeItem(keySlot)
  if (keyInput.value.trim() !== key) keyInput.value = key
  keyNote.textContent = isKey ? 'filled in; stays in this tab' : 'stays in this tab'
  const values = { key: isKey ? key : null, base: isKey ? baseUrl : null, origin: location.origin }
  // A page comes with the names of key and address, and has hundreds of places for them.
  const places = isKey || isFilled ? 'var[data-fill]' : 'var[data-fill="origin"]'
  isFilled = isKey
  for (const place of document.querySelectorAll(places)) {
    const { fill, quote } = place.dataset
    place.dataset.written ??= place.textContent
    const value = values[fill]
    const text = value === null ? place.dataset.written : quote + value + quote
    // A text that is set is laid out again, even if it is the same.
    if (place.textContent !== text) place.textContent = text
  }
  for (const place of document.querySelectorAll('var[data-base]')) place.textContent = baseUrl
}

async function copy(button) {
  const blocks = [...button.closest('figure').querySelectorAll('pre')]
  const shown = blocks.find(block => block.checkVisibility())
  await navigator.clipboard.writeText(shown.textContent)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
}

function toggleMenu(button) {
  const isOpen = document.body.classList.toggle('menu-open')
  button.setAttribute('aria-expanded', String(isOpen))
}

/** Loads the fields of a schema at their first unfolding; if that fails, the next one tries again. */
async function loadFields(details) {
  if (details.querySelector(':scope > .loaded') !== null) return
  const place = document.createElement('div')
  place.className = 'loaded'
  place.textContent = 'Loading …'
  details.append(place)
  try {
    const response = await fetch(`/docs/schemas/${details.dataset.schema}`)
    if (!response.ok) throw new Error(`status ${response.status}`)
    // Our own server made it, and every text in it is escaped.
    place.innerHTML = await response.text()
  } catch (error) {
    place.className = ''
    place.textContent = `The fields could not be loaded: ${error.message}`
    details.addEventListener('toggle', () => place.remove(), { once: true })
  }
}

/** Sends the call and shows its reply, or the error. */
async function send(form, output) {
  show(output, 'Sending …')
  const startedAt = performance.now()
  try {
    const response = await fetch(addressOf(form), requestOf(form))
    const text = await response.text()
    const took = `${Math.round(performance.now() - startedAt)} ms`
    const remaining = response.headers.get('x-ratelimit-remaining')
    const head = `${response.status} ${response.statusText} · ${took} · ${remaining} requests left in this minute`
    const note = useNewKey(text)
    show(output, `${head}${note}\n\n${pretty(text, response.headers.get('content-type') ?? '')}`)
  } catch (error) {
    show(output, `The call could not be sent: ${error.message}`)
  }
}

/** A key that was just made is filled in, as if it had been pasted. */
function useNewKey(text) {
  const [, key] = /"key":"(sk_(?:test|live)_\w+)"/.exec(text) ?? []
  if (key === undefined) return ''
  setKey(key)
  return '\nThis page now uses the new key.'
}

function addressOf(form) {
  const values = new Map(inputs(form, 'path').map(({ name, value }) => [name, value]))
  const path = form.dataset.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name)))
  const query = new URLSearchParams(inputs(form, 'query').map(({ name, value }) => [name, value]))
  return `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`
}

function requestOf(form) {
  const headers = Object.fromEntries(inputs(form, 'header').map(({ name, value }) => [name, value]))
  if (keyInput.value !== '') headers.authorization = `Bearer ${keyInput.value.trim()}`
  const parts = inputs(form, 'form')
  const [json] = inputs(form, 'body')
  if (json !== undefined) headers['content-type'] = 'application/json'
  return {
    method: form.dataset.method,
    headers,
    body: json?.value ?? (parts.length > 0 ? formData(parts) : null),
  }
}

function formData(parts) {
  const data = new FormData()
  for (const { name, value, files } of parts) data.append(name, files?.[0] ?? value)
  return data
}

const inputs = (form, place) =>
  [...form.elements].filter(element => element.dataset.place === place && element.value !== '')

function pretty(text, type) {
  const maxShown = 100_000
  const shown = type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}\n… ${shown.length} characters` : shown
}

function show(output, text) {
  const block = document.createElement('pre')
  block.tabIndex = 0
  block.textContent = text
  output.replaceChildren(block)
}
