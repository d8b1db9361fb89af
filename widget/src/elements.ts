/** Elements of the widget, made by script alone: no text becomes HTML. */
import { icon } from './icons.ts'

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

export function button(
  className: string,
  label: string,
  shape: Parameters<typeof icon>[0],
): HTMLButtonElement {
  const made = element('button', { type: 'button', className, ariaLabel: label, title: label })
  made.append(icon(shape))
  return made
}

export const textOf = (text: string): HTMLElement => element('div', { textContent: text, dir: 'auto' })
