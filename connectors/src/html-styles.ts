/** What a page's styles say about whether a text can be seen: the cascade of simple selectors, in linear time. */

/** The properties of one element that hide text, by name. A value is in small letters and valid. */
export type Styles = ReadonlyMap<string, string>

type Asked = { tag: string; id: string | null; classes: string | null; inline: string | null }

/** How strongly a declaration holds: `important`, then the selector, then the place in the page. */
type Declared = { value: string; strength: number }
type Declarations = Map<string, Declared>

const none: Styles = new Map()
/** Rules after these count no more. */
const mostSelectors = 50_000
/** Above all places in a page. */
const weight = 2 ** 28

/**
 * Reads the texts of the page's style elements. Selectors are an element, a class, an id, `*`, or an element with one
 * class or id. Each is one key, so an element asks for a few keys and never tries rule after rule.
 */
export function createCascade(sheets: readonly string[]): (asked: Asked) => Styles {
  const rules = new Map<string, Declarations>()
  let place = 0
  for (const sheet of sheets) {
    for (const { selectors, body } of rulesOf(sheet)) {
      const declared = declarationsOf(body)
      if (declared.length === 0) continue
      for (const text of selectors.split(',')) {
        const key = keyOf(text)
        if (key === null) continue
        const rule = rules.get(key) ?? new Map()
        if (rules.size >= mostSelectors && !rules.has(key)) continue
        rules.set(key, rule)
        place += 1
        addTo(rule, declared, strengthOf(key) * weight + place)
      }
    }
  }
  return ({ tag, id, classes, inline }) => {
    if (rules.size === 0 && inline === null) return none
    const found: Declarations = new Map()
    const take = (key: string): void => {
      const rule = rules.get(key)
      if (rule !== undefined) for (const [name, one] of rule) keepStronger(found, name, one)
    }
    if (rules.size > 0) {
      take('*')
      take(tag)
      const names = classes === null ? [] : classes.split(/\s+/).map(name => `.${name}`)
      if (id !== null) names.push(`#${id}`)
      for (const name of names) {
        take(name)
        take(tag + name)
      }
    }
    if (inline !== null) addTo(found, declarationsOf(withoutComments(inline)), 5 * weight)
    return found.size === 0 ? none : new Map([...found].map(([name, { value }]) => [name, value]))
  }
}

const important = 8 * weight

function addTo(rule: Declarations, declared: readonly Declaration[], strength: number): void {
  for (const { name, value, isImportant } of declared)
    keepStronger(rule, name, { value, strength: strength + (isImportant ? important : 0) })
}

function keepStronger(rule: Declarations, name: string, one: Declared): void {
  const other = rule.get(name)
  if (other === undefined || other.strength <= one.strength) rule.set(name, one)
}

/** `*` 0, an element 1, a class 2, an element with a class 3, an id 4. */
const strengthOf = (key: string): number =>
  key === '*' ? 0 : key.includes('#') ? 4 : (key.startsWith('.') ? 0 : 1) + (key.includes('.') ? 2 : 0)

const simple = /^(\*|[a-z][a-z\d-]*)?([.#](?:[\w-]|[^\0-\x7f])+)?$/i

/** The selector as an element asks for it; null if it is not simple. */
function keyOf(text: string): string | null {
  const selector = unescaped(text.trim())
  const [found, tag = '', name = ''] = simple.exec(selector) ?? []
  if (found === undefined || found === '') return null
  return name === '' ? tag.toLowerCase() : (tag === '*' ? '' : tag.toLowerCase()) + name
}

/** The rules of a sheet that hold on every screen: those within other conditions are passed over. */
function* rulesOf(sheet: string): Generator<{ selectors: string; body: string }> {
  const text = withoutComments(sheet).replace(/<!--|-->/g, ' ')
  let from = 0
  let at = 0
  const sign = /["'{};]/g
  while (at < text.length) {
    sign.lastIndex = at
    const index = sign.exec(text)?.index ?? text.length
    const found = text[index]
    at = index + 1
    if (found === '"' || found === "'") at = behindString(text, index)
    else if (found === '{') {
      const selectors = text.slice(from, index).trim()
      if (selectors.startsWith('@')) at = always.test(selectors) ? at : behindBlock(text, index)
      else {
        at = behindBlock(text, index)
        yield { selectors, body: text.slice(index + 1, text[at - 1] === '}' ? at - 1 : at) }
      }
      from = at
    } else from = at
  }
}

const always = /^@(media\s+(only\s+)?(screen|all)|layer(\s+[\w.-]+)?)$/i

/** The media of a style element that hold on every screen. */
export const isForScreens = (media: string | null): boolean =>
  media === null || /^\s*((only\s+)?(screen|all))?\s*$/i.test(media)

function behindString(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === quote || text[at] === '\n') return at + 1
  }
  return text.length
}

function behindBlock(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = behindString(text, at) - 1
    else if (sign === '\\') at += 1
    else if (sign === '{') depth += 1
    else if (sign === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

function withoutComments(text: string): string {
  if (!text.includes('/*')) return text
  const kept: string[] = []
  let from = 0
  for (let start = text.indexOf('/*'); start >= 0; start = text.indexOf('/*', from)) {
    kept.push(text.slice(from, start))
    const end = text.indexOf('*/', start + 2)
    if (end < 0) return kept.join(' ')
    from = end + 2
  }
  kept.push(text.slice(from))
  return kept.join(' ')
}

type Declaration = { name: string; value: string; isImportant: boolean }

const longestValue = 500

function declarationsOf(body: string): Declaration[] {
  const found: Declaration[] = []
  for (const text of body.split(';')) {
    const colon = text.indexOf(':')
    if (colon < 0) continue
    const name = unescaped(text.slice(0, colon)).trim().toLowerCase()
    const accepts = properties[name]
    if (accepts === undefined || text.length > longestValue) continue
    const raw = unescaped(text.slice(colon + 1))
      .trim()
      .toLowerCase()
    const isImportant = /!\s*important$/.test(raw)
    const value = isImportant ? raw.slice(0, raw.lastIndexOf('!')).trim() : raw
    if (!accepts.test(value) && !everywhere.test(value)) continue
    const size = name === 'font' ? /(?:^| )(\d*\.?\d+(?:[a-z]+|%)|0)(?=[ /])/.exec(value)?.[1] : value
    if (size !== undefined)
      found.push({ name: name === 'font' ? 'font-size' : name, value: size, isImportant })
  }
  return found
}

const everywhere = /^(inherit|initial|unset|revert|revert-layer)$/
const length = /^[+-]?(\d+\.?\d*|\.\d+)([a-z]+|%)?$|^(calc|min|max|clamp|var)\(|^auto$/

/** A browser passes over a value that it does not know, and the one before stays. */
const properties: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  display:
    /^(none|contents|block|flow-root|list-item|(inline|table)(-[a-z]+){0,3}|(inline |block )?(flow|flex|grid|ruby))$/,
  visibility: /^(visible|hidden|collapse)$/,
  'content-visibility': /^(visible|hidden|auto)$/,
  opacity: /^[+-]?(\d+\.?\d*|\.\d+)%?$|^(calc|var)\(/,
  font: /^[^"'(]* [^ ]/,
  'font-size': /^[+-]?(\d+\.?\d*|\.\d+)([a-z]+|%)?$|^(calc|min|max|clamp|var)\(|^[a-z-]+$/,
  'text-indent': length,
  position: /^(static|relative|absolute|fixed|sticky)$/,
  left: length,
  top: length,
  right: length,
  bottom: length,
  width: length,
  height: length,
  'max-width': length,
  'max-height': length,
  overflow: /^[a-z]+( [a-z]+)?$/,
  clip: /^(auto|rect\([^)]*\))$/,
  'clip-path': /^(none|[a-z-]+\(.*\))$/,
  transform: /^(none|[a-z\d]+\(.*\))$/,
  transition: /./,
  animation: /./,
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, sign = '') =>
        code === undefined ? sign : characterOf(Number.parseInt(code, 16)),
      )
    : text

const characterOf = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

/** Whether nothing within the element can be seen, whatever the elements within it say. */
export function isGone(styles: Styles, isClosed: boolean): boolean {
  const display = styles.get('display')
  if (display === 'none' || (isClosed && display === undefined)) return true
  if (styles.size === 0) return false
  if (styles.get('content-visibility') === 'hidden') return true
  // A page that fades its parts in shows them.
  const fadesIn = styles.has('transition') || styles.has('animation')
  if (!fadesIn && numberOf(styles.get('opacity'), 100) <= 0.02) return true
  if (/scale(3d|x|y)?\(\s*[+-]?0*\.?0*\s*[,)]/.test(styles.get('transform') ?? '')) return true
  const clipped = /^inset\(\s*(\d+)%|^circle\(\s*0/.exec(styles.get('clip-path') ?? '')
  if (clipped !== null && Number(clipped[1] ?? 50) >= 50) return true
  const position = styles.get('position')
  if (position === 'absolute' || position === 'fixed') {
    if (isEmptyRect(styles.get('clip'))) return true
    if (['left', 'top', 'right', 'bottom'].some(side => isFarAway(styles.get(side)))) return true
  }
  const cutsOff = /hidden|clip/.test(styles.get('overflow') ?? '')
  return cutsOff && ['width', 'height', 'max-width', 'max-height'].some(side => isNothing(styles.get(side)))
}

/** Three ways to be unseen that an element hands on to those within it, until they say otherwise. */
export type Unseen = { visibility: boolean; size: boolean; indent: boolean }
export const seen: Unseen = { visibility: false, size: false, indent: false }

export const isUnseen = ({ visibility, size, indent }: Unseen): boolean => visibility || size || indent

export function unseenBy(styles: Styles, around: Unseen): Unseen {
  if (styles.size === 0) return around
  const visibility = decided(styles.get('visibility'), around.visibility, value => /^(hid|coll)/.test(value))
  const size = decided(styles.get('font-size'), around.size, value =>
    // A share of nothing is nothing.
    around.size && /(em|%|er)$/.test(value) && !value.endsWith('rem') ? true : isTiny(value),
  )
  const indent = decided(styles.get('text-indent'), around.indent, isFarAway)
  return { visibility, size, indent }
}

function decided(value: string | undefined, around: boolean, decide: (value: string) => boolean): boolean {
  if (value === undefined || /^(inherit|unset|revert)/.test(value)) return around
  return decide(value)
}

/** `percent` is what a share of all is divided by. */
function numberOf(value: string | undefined, percent = 1): number {
  const number = Number.parseFloat(value ?? '')
  if (Number.isNaN(number)) return Number.POSITIVE_INFINITY
  return value?.endsWith('%') ? number / percent : number
}

const isNothing = (value: string | undefined): boolean =>
  value !== undefined && /^[+-]?[\d.]/.test(value) && (numberOf(value) === 0 || value === '1px')

function isTiny(value: string): boolean {
  const number = numberOf(value, 100)
  return number === 0 || number <= (/em$|%$/.test(value) ? 0.06 : 1)
}

function isFarAway(value: string | undefined): boolean {
  if (value === undefined || !value.startsWith('-')) return false
  return numberOf(value) <= (/(em|%|vw|vh)$/.test(value) ? -60 : -900)
}

/** `rect(0 0 0 0)` and `rect(1px, 1px, 1px, 1px)`. */
function isEmptyRect(value: string | undefined): boolean {
  const sides = /^rect\(([^)]*)\)/
    .exec(value ?? '')?.[1]
    ?.trim()
    .split(/[\s,]+/)
  if (sides?.length !== 4 || sides.includes('auto')) return false
  const [top = 0, right = 0, bottom = 0, left = 0] = sides.map(Number.parseFloat)
  return bottom <= top || right <= left
}
