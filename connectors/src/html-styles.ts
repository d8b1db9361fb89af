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
 *
 * Any other selector, and a rule for some screens, names a state of the page: a tab that is open, a wide window. What
 * such a rule shows is not hidden, as a reader of the page can get to see it.
 */
export function createCascade(sheets: readonly string[]): (asked: Asked) => Styles {
  const rules = new Map<string, Declarations>()
  const states = new Map<string, Declarations>()
  let place = 0
  for (const sheet of sheets) {
    for (const { selectors, body, isConditional } of rulesOf(sheet)) {
      const nested = body.indexOf('{')
      const declared = declarationsOf(nested < 0 ? body : body.slice(0, nested))
      if (declared.size === 0) continue
      let shown: Map<string, Declaration> | null = null
      for (const text of selectors.split(',')) {
        const key = keyOf(text)
        place += 1
        const strength = strengthOf(text) * weight + place
        if (key !== null && !isConditional) addTo(ruleOf(rules, key), declared, strength)
        else {
          // Most rules need no such list, which takes longer than the rest of a rule.
          shown ??= new Map([...declared].filter(([name, { value }]) => shows(name, value)))
          if (shown.size > 0) for (const name of subjectOf(text)) addTo(ruleOf(states, name), shown, strength)
        }
      }
    }
  }
  return ({ tag, id, classes, inline }) => {
    if (rules.size === 0 && inline === null) return none
    const found: Declarations = new Map()
    const shown: Declarations = new Map()
    const take = (key: string): void => {
      const rule = rules.get(key)
      if (rule !== undefined) for (const [name, one] of rule) keepStronger(found, name, one)
      const state = states.get(key)
      if (state !== undefined) for (const [name, one] of state) keepStronger(shown, name, one)
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
      for (const [name, one] of shown)
        if (one.strength >= (found.get(name)?.strength ?? 0)) found.delete(name)
    }
    if (inline !== null) addTo(found, declarationsOf(withoutComments(inline)), mostStrength * weight)
    return found.size === 0 ? none : new Map([...found].map(([name, { value }]) => [name, value]))
  }
}

/** Where the declarations of a key belong. */
function ruleOf(rules: Map<string, Declarations>, key: string): Declarations {
  const rule = rules.get(key) ?? new Map()
  if (rules.size < mostSelectors) rules.set(key, rule)
  return rule
}

/** The names that an element needs to be what the selector is about: `.panel` and `.open` of `ul>li.panel.open:hover`. */
function subjectOf(selector: string): string[] {
  const subject =
    selector
      .trim()
      .slice(-longestSelector)
      .split(/[\s>+~]/)
      .at(-1) ?? ''
  if (/::|:(before|after)/i.test(subject)) return []
  const names = subject.replace(/[[(].*$|:[\w-]+/g, '').match(/[.#]?[\w-]+/g) ?? []
  return names.length > 1 ? names.filter(name => /^[.#]/.test(name)) : names
}

/** Whether an element with this can be seen, if nothing else hides it. */
function shows(name: string, value: string): boolean {
  if (name === 'clip' || name === 'clip-path') return /^(auto|none|unset|initial)/.test(value)
  return (
    !isGone(
      new Map([
        ['position', 'absolute'],
        ['overflow', 'hidden'],
        [name, value],
      ]),
      false,
    ) && !isUnseen(unseenBy(new Map([[name, value]]), seen))
  )
}

const mostStrength = 512
const important = 2 * mostStrength * weight

function addTo(rule: Declarations, declared: ReadonlyMap<string, Declaration>, strength: number): void {
  for (const [name, { value, isImportant }] of declared)
    keepStronger(rule, name, { value, strength: strength + (isImportant ? important : 0) })
}

function keepStronger(rule: Declarations, name: string, one: Declared): void {
  const other = rule.get(name)
  if (other === undefined || other.strength <= one.strength) rule.set(name, one)
}

/** Ids count before classes, conditions and states, these before elements. */
function strengthOf(selector: string): number {
  const parts = selector.slice(-longestSelector).match(/[#.:[]|(?:^|[\s>+~])[a-z]/gi) ?? []
  const ids = parts.filter(part => part === '#').length
  const classes = parts.filter(part => /[.:[]/.test(part)).length
  return 64 * Math.min(ids, 7) + 8 * Math.min(classes, 7) + Math.min(parts.length - ids - classes, 7)
}

const longestSelector = 200

const simple = /^(\*|[a-z][a-z\d-]*)?([.#](?:[\w-]|[^\0-\x7f])+)?$/i

/** The selector as an element asks for it; null if it is not simple. */
function keyOf(text: string): string | null {
  if (text.length > 10 * longestSelector) return null
  const selector = unescaped(text.trim())
  const [found, tag = '', name = ''] = simple.exec(selector) ?? []
  if (found === undefined || found === '') return null
  return name === '' ? tag.toLowerCase() : (tag === '*' ? '' : tag.toLowerCase()) + name
}

/** The rules of a sheet for screens. One within another condition is conditional. */
function* rulesOf(sheet: string): Generator<{ selectors: string; body: string; isConditional: boolean }> {
  const text = withoutComments(sheet).replace(/<!--|-->/g, ' ')
  const around: boolean[] = []
  let from = 0
  let at = 0
  const sign = /["'{};]/g
  while (at < text.length) {
    sign.lastIndex = at
    const index = sign.exec(text)?.index ?? text.length
    const found = text[index]
    at = index + 1
    if (found === '"' || found === "'") {
      at = behindString(text, index)
      continue
    }
    if (found === '}') around.pop()
    if (found === '{') {
      const selectors = text.slice(from, index).trim()
      const isConditional = around.at(-1) ?? false
      if (always.test(selectors)) around.push(isConditional)
      else if (sometimes.test(selectors)) around.push(true)
      else {
        at = behindBlock(text, index)
        const body = text.slice(index + 1, text[at - 1] === '}' ? at - 1 : at)
        if (!selectors.startsWith('@')) yield { selectors, body, isConditional }
      }
    }
    from = at
  }
}

const always = /^@(media\s+(only\s+)?(screen|all)|layer(\s+[\w.-]+)?)$/i
const sometimes = /^@(media(?!\s+(only\s+)?(print|speech))|supports|container|scope)\b/i

/** The media of a style element that hold on every screen. */
export const isForScreens = (media: string | null): boolean =>
  media === null || /^((only\s+)?(screen|all))?$/i.test(media.trim())

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

type Declaration = { value: string; isImportant: boolean }

/** Each element pays for the lengths of its values. */
const longestValue = 100

/** Of each property the one that holds. */
function declarationsOf(body: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>()
  for (const text of body.split(';')) {
    const colon = text.indexOf(':')
    if (colon < 0 || colon > longestValue) continue
    const name = unescaped(text.slice(0, colon)).trim().toLowerCase()
    const accepts = properties[name]
    if (accepts === undefined) continue
    const given = text.slice(colon + 1).trim()
    const isTimed = /^(transition|animation)/.test(name)
    if (!isTimed && given.length > longestValue) continue
    const raw = isTimed ? 'yes' : unescaped(given).trim().toLowerCase()
    const isImportant = /!\s*important$/.test(raw)
    const value = isImportant ? raw.slice(0, raw.lastIndexOf('!')).trim() : raw
    if (!accepts.test(value) && !everywhere.test(value)) continue
    const size =
      name === 'font' ? /(?:^| )((?:\d+(?:\.\d+)?|\.\d+)(?:[a-z]+|%)|0)(?=[ /])/.exec(value)?.[1] : value
    const key = longhands[name] ?? name
    if (size !== undefined && (isImportant || found.get(key)?.isImportant !== true))
      found.set(key, { value: size, isImportant })
  }
  return found
}

const longhands: Readonly<Record<string, string>> = { font: 'font-size', background: 'background-color' }

const everywhere = /^(inherit|initial|unset|revert|revert-layer)$/
const length = /^[+-]?(\d+(\.\d*)?|\.\d+)([a-z]+|%)?$|^(calc|min|max|clamp|var)\(|^auto$/

const colour = /^([a-z]+|#[\da-f]{3,8}|rgba?\([^)]*\))$/

/** A browser passes over a value that it does not know, and the one before stays. */
const properties: Readonly<Record<string, RegExp>> = {
  __proto__: null as never,
  display:
    /^(none|contents|block|flow-root|list-item|(inline|table)(-[a-z]+){0,3}|(inline |block )?(flow|flex|grid|ruby))$/,
  visibility: /^(visible|hidden|collapse)$/,
  'content-visibility': /^(visible|hidden|auto)$/,
  color: colour,
  background: colour,
  'background-color': colour,
  opacity: /^[+-]?(\d+(\.\d*)?|\.\d+)%?$|^(calc|var)\(/,
  font: /^[^"'(]* [^ ]/,
  'font-size': /^[+-]?(\d+(\.\d*)?|\.\d+)([a-z]+|%)?$|^(calc|min|max|clamp|var)\(|^[a-z-]+$/,
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
  inset: /^[-+\d.a-z% ]+$/,
  'margin-left': length,
  'margin-top': length,
  filter: /^(none|[a-z-]+\(.*\))$/,
  transition: /./,
  'transition-property': /./,
  'transition-duration': /./,
  animation: /./,
  'animation-name': /./,
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, sign = '') =>
        code === undefined ? sign : characterOf(Number.parseInt(code, 16)),
      )
    : text

const characterOf = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

/**
 * Whether nothing within the element can be seen, whatever the elements within it say. What is cut to one pixel is text
 * for screen readers, and so for people.
 */
export function isGone(styles: Styles, isClosed: boolean): boolean {
  const display = styles.get('display')
  if (display === 'none' || (isClosed && display === undefined)) return true
  if (styles.size === 0) return false
  if (styles.get('content-visibility') === 'hidden') return true
  // A page that fades its parts in, or unfolds them, shows them.
  const comes = timed.some(name => styles.has(name))
  if (!comes && numberOf(styles.get('opacity'), 100) <= 0.02) return true
  const transform = styles.get('transform') ?? ''
  if (!comes && /scale(?:3d|x|y)?\(\s*[+-]?(?:0+(?:\.0*)?|\.0+)\s*[,)]/.test(transform)) return true
  if (!comes && /opacity\(\s*0%?\s*\)/.test(styles.get('filter') ?? '')) return true
  if (isOnePixel(styles)) return false
  if (isFarAway(/^translate(?:3d|x|y)?\(\s*([^,)]*)/.exec(transform)?.[1])) return true
  if (isFarAway(styles.get('margin-left')) || isFarAway(styles.get('margin-top'))) return true
  const clipped = /^inset\(\s*(\d+)%|^circle\(\s*0/.exec(styles.get('clip-path') ?? '')
  if (!comes && clipped !== null && Number(clipped[1] ?? 50) >= 50) return true
  const position = styles.get('position')
  if (position === 'absolute' || position === 'fixed') {
    if (isEmptyRect(styles.get('clip'))) return true
    if (styles.get('inset')?.split(' ').some(isFarAway) === true) return true
  }
  if (/^(abs|fix|rel)/.test(position ?? '') && sides.some(side => isFarAway(styles.get(side)))) return true
  const cutsOff = /hidden|clip/.test(styles.get('overflow') ?? '')
  return cutsOff && !comes && extents.some(side => isNothing(styles.get(side)))
}

const timed = ['transition', 'transition-property', 'transition-duration', 'animation', 'animation-name']
const sides = ['left', 'top', 'right', 'bottom']
const extents = ['width', 'height', 'max-width', 'max-height']

function isOnePixel(styles: Styles): boolean {
  const isOne = (name: string): boolean => styles.get(name) === '1px' || styles.get(`max-${name}`) === '1px'
  return isOne('width') && isOne('height')
}

/** Four ways to be unseen that an element hands on to those within it, until they say otherwise. */
export type Unseen = { visibility: boolean; size: boolean; indent: boolean; colour: boolean }
export const seen: Unseen = { visibility: false, size: false, indent: false, colour: false }

export const isUnseen = ({ visibility, size, indent, colour }: Unseen): boolean =>
  visibility || size || indent || colour

export function unseenBy(styles: Styles, around: Unseen): Unseen {
  if (styles.size === 0) return around
  const visibility = decided(styles.get('visibility'), around.visibility, value => /^(hid|coll)/.test(value))
  const size = decided(styles.get('font-size'), around.size, value =>
    // A share of nothing is nothing.
    around.size && /(em|%|er)$/.test(value) && !value.endsWith('rem') ? true : isTiny(value),
  )
  const indent = decided(styles.get('text-indent'), around.indent, isFarAway)
  const [text, ground] = [styles.get('color'), styles.get('background-color')]
  // One of them alone is seen against what some other rule says about the other.
  const colour = text === undefined && ground === undefined ? around.colour : areOneColour(text, ground)
  return { visibility, size, indent, colour }
}

const areOneColour = (text = '', ground = ''): boolean =>
  text !== '' && !everywhere.test(text) && plainColour(text) === plainColour(ground)

/** `white`, `#fff`, `#ffffff` and `rgb(255, 255, 255)` are one. */
function plainColour(value: string): string {
  const [, red = '', green = '', blue = ''] = /^#([\da-f])([\da-f])([\da-f])$/.exec(value) ?? []
  if (red !== '') return `#${red}${red}${green}${green}${blue}${blue}`
  const parts = /^rgb\(([^)]*)\)$/.exec(value)?.[1]?.match(/\d+/g)
  if (parts?.length === 3) return `#${parts.map(part => Number(part).toString(16).padStart(2, '0')).join('')}`
  return value === 'white' ? '#ffffff' : value === 'black' ? '#000000' : value
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

const isNothing = (value: string | undefined): boolean => numberOf(value) === 0

function isTiny(value: string): boolean {
  const number = numberOf(value, 100)
  return number === 0 || number <= (/em$|%$/.test(value) ? 0.06 : 1)
}

/** A share of the window is not far: slides and menus come from there. */
function isFarAway(value: string | undefined): boolean {
  if (value === undefined || !/^-[\d.]/.test(value)) return false
  return numberOf(value) <= (/em$/.test(value) ? -60 : -900)
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
