/** Elements of the widget, made by script alone: no text becomes HTML. */

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

export function button(className: string, label: string, shape: keyof typeof paths): HTMLButtonElement {
  const made = element('button', { type: 'button', className, ariaLabel: label, title: label })
  made.append(icon(shape))
  return made
}

export const textOf = (text: string): HTMLElement => element('div', { textContent: text, dir: 'auto' })

/** Outlines of 24 by 24, drawn here so that the page loads no font and no picture. */
const paths = {
  chat: 'M21 12a8 8 0 0 1-11.5 7.2L4 20l1-4.6A8 8 0 1 1 21 12Z',
  cross: 'M6 6l12 12M18 6 6 18',
  pen: 'M12 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-6M10 14l.5-2.5L18 4l2 2-7.5 7.5L10 14Z',
  up: 'M5 12h14M13 6l6 6-6 6',
  stop: 'M8 8h8v8H8z',
  thumb: 'M7 11v9H4v-9h3Zm0 0 4-8a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2l-1.5 7a2 2 0 0 1-2 2H7',
  thumbDown: 'M17 13V4h3v9h-3Zm0 0-4 8a2 2 0 0 1-2-2v-4H6a2 2 0 0 1-2-2l1.5-7a2 2 0 0 1 2-2H17',
}

const namespace = 'http://www.w3.org/2000/svg'

export function icon(name: keyof typeof paths): SVGElement {
  const svg = document.createElementNS(namespace, 'svg')
  const attributes = { viewBox: '0 0 24 24', width: '20', height: '20', fill: 'none', 'aria-hidden': 'true' }
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value)
  const path = document.createElementNS(namespace, 'path')
  const looks = {
    d: paths[name],
    stroke: 'currentColor',
    'stroke-width': '2',
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
  }
  for (const [key, value] of Object.entries(looks)) path.setAttribute(key, value)
  svg.append(path)
  return svg
}
