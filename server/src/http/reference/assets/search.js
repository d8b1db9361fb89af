/** The search of the reference, loaded when somebody begins to search: finds all words, and ranks by where they stand. */

const find = document.querySelector('#find')
const found = document.querySelector('#found')
const status = found.querySelector('p')
const list = found.querySelector('ol')
const maxShown = 30

const kinds = {
  operation: 'operation',
  event: 'event received',
  field: 'field',
  term: 'guide',
  guide: 'guide',
}
/** Of two places where the words stand alike, a reader rather wants the operation. */
const kindWeights = { operation: 1.3, guide: 1.2, term: 1.1, event: 1, field: 0.8 }

/** What readers look for under another word than ours. */
const synonyms = { stop: 'cancel', abort: 'cancel', remove: 'delete', edit: 'change', chat: 'conversation' }

status.textContent = 'Loading …'
const entries = await load()

find.addEventListener('input', search)
find.addEventListener('focus', search)
document.querySelector('search').addEventListener('keydown', move)
document.addEventListener('click', event => {
  if (event.target.closest('search') === null || event.target.closest('#found a') !== null)
    found.hidden = true
})
search()

async function load() {
  try {
    const response = await fetch('/docs/search.json')
    if (!response.ok) throw new Error(`status ${response.status}`)
    const all = await response.json()
    return all.map(entry => ({
      ...entry,
      title: entry.t.toLowerCase(),
      names: entry.n.toLowerCase(),
      text: entry.x.toLowerCase(),
    }))
  } catch (error) {
    found.hidden = false
    status.textContent = `The search could not be loaded: ${error.message}. Reload the page to try again.`
    throw error
  }
}

function search() {
  const query = find.value.trim().toLowerCase()
  found.hidden = query === ''
  if (query === '') return
  // A plural finds what stands in the singular too.
  const words = query.split(/[^\p{L}\p{N}_.$/{}-]+/u).filter(word => word !== '')
  const hits = entries
    .map(entry => ({ entry, score: scoreOf(entry, words, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const shown = hits.slice(0, maxShown)
  status.textContent =
    hits.length === 0
      ? `Nothing found for “${find.value.trim()}”. Try another word, or fewer.`
      : `${hits.length} found${hits.length > maxShown ? `, the best ${maxShown} shown` : ''}`
  list.replaceChildren(...shown.map(({ entry }) => itemOf(entry, words)))
}

/** 0 unless every word is found. */
function scoreOf(entry, words, query) {
  let sum = 0
  for (const word of words) {
    const other = Object.hasOwn(synonyms, word) ? wordScore(entry, synonyms[word]) : 0
    const score = Math.max(wordScore(entry, word), 0.9 * other)
    if (score === 0) return 0
    sum += score
  }
  const isExact = entry.title === query || entry.names.split(' ')[0] === query
  const isTogether = words.length > 1 && `${entry.title} ${entry.text}`.includes(query)
  return (sum / words.length + (isExact ? 40 : 0) + (isTogether ? 10 : 0)) * kindWeights[entry.k]
}

function wordScore({ title, names, text }, word) {
  return Math.max(
    placeScore(title, word, 40, 24, 8),
    placeScore(names, word, 36, 14, 6),
    placeScore(text, word, 7, 4, 1) + count(text, word),
  )
}

/** The score for a whole word, the beginning of one, or a part of one; 0 for none. A word may stand in its plural. */
function placeScore(text, word, whole, beginning, part) {
  const single = word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
  let best = 0
  for (let at = text.indexOf(single); at >= 0; at = text.indexOf(single, at + 1)) {
    const begins = at === 0 || !isLetter(text[at - 1])
    const after = at + single.length + (text[at + single.length] === 's' ? 1 : 0)
    if (begins && (after >= text.length || !isLetter(text[after]))) return whole
    best = Math.max(best, begins ? beginning : part)
  }
  return best
}

function isLetter(character) {
  return /[\p{L}\p{N}_]/u.test(character)
}

/** How often it stands there beyond the first time, up to four. */
function count(text, word) {
  let times = 0
  for (let at = text.indexOf(word); at >= 0 && times < 5; at = text.indexOf(word, at + word.length)) times++
  return Math.max(0, times - 1)
}

function itemOf({ k, t, a, n, x }, words) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = a
  const head = document.createElement('span')
  head.append(...marked(t, words))
  const where = document.createElement('small')
  where.textContent = `${kinds[k]} · ${n}`
  const text = document.createElement('p')
  text.append(...marked(snippet(x, words), words))
  link.append(head, ' ', where, text)
  item.append(link)
  return item
}

/** The words around the first that was looked for. */
function snippet(text, words) {
  const length = 150
  const places = words.map(word => text.toLowerCase().indexOf(word)).filter(place => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 50)
  const start = places.length === 0 || from < 20 ? 0 : text.indexOf(' ', from) + 1
  const end = start + length
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

/** The text as nodes, with the words in `<mark>`. */
function marked(text, words) {
  const pattern = new RegExp(
    `(${words.map(word => word.replaceAll(/[$.{}()[\]\\/|*+?^-]/g, '\\$&')).join('|')})`,
    'gi',
  )
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

/** The arrow keys walk through the field and what was found; Escape leads back and closes. */
function move(event) {
  const links = [...list.querySelectorAll('a')]
  const place = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    found.hidden = true
    find.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const next = place + (event.key === 'ArrowDown' ? 1 : -1)
    const target = next < 0 ? find : (links[next] ?? links[place] ?? find)
    target.focus()
  } else if (event.key === 'Enter' && document.activeElement === find) {
    links[0]?.click()
  }
}
