/** The script of the reference page: finds endpoints, copies samples and tries calls. */

const keyInput = document.querySelector('#key')
const baseUrl = `${location.origin}${document.body.dataset.base}`
const slotName = 'atrium-key'

for (const element of document.querySelectorAll('[data-origin]')) element.textContent = baseUrl
// The tab's own storage: deleted when the tab is closed, and never sent automatically.
keyInput.value = sessionStorage.getItem(slotName) ?? ''
keyInput.addEventListener('input', () => sessionStorage.setItem(slotName, keyInput.value.trim()))

document.querySelector('#find').addEventListener('input', event => {
  const wanted = event.target.value.trim().toLowerCase()
  for (const group of document.querySelectorAll('nav .links')) {
    const links = [...group.querySelectorAll('li')]
    for (const link of links) {
      const { title } = link.firstElementChild
      link.hidden = !`${link.textContent} ${title}`.toLowerCase().includes(wanted)
    }
    group.hidden = links.every(link => link.hidden)
  }
})

document.addEventListener('click', async event => {
  const button = event.target.closest('[data-copy]')
  if (button === null) return
  const text = button.closest('figure').querySelector('code').textContent
  const ready = text.replaceAll('$ATRIUM', location.origin).replaceAll('$KEY', keyInput.value || '$KEY')
  await navigator.clipboard.writeText(ready)
  button.textContent = 'Copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 1500)
})

for (const form of document.querySelectorAll('.try form')) {
  form.addEventListener('submit', event => {
    event.preventDefault()
    void send(form, form.parentElement.querySelector('output'))
  })
}

markPlace()

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
    show(output, `${head}\n\n${pretty(text, response.headers.get('content-type') ?? '')}`)
  } catch (error) {
    show(output, `The call could not be sent: ${error.message}`)
  }
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
  block.textContent = text
  output.replaceChildren(block)
}

/** Marks the endpoint that is being read in the list. */
function markPlace() {
  const links = new Map(
    [...document.querySelectorAll('nav li a')].map(link => [link.getAttribute('href').slice(1), link]),
  )
  const observer = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        for (const link of links.values()) link.removeAttribute('aria-current')
        const link = links.get(target.id)
        link?.setAttribute('aria-current', 'true')
        link?.scrollIntoView({ block: 'nearest' })
      }
    },
    { rootMargin: '-10% 0px -80% 0px' },
  )
  for (const article of document.querySelectorAll('article')) observer.observe(article)
}
