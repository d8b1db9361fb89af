/** A page in the hands of somebody who has no pointer. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/src/testing/eventually.ts'

const mostPresses = 120

const focusable = 'a, button, summary, input, select, textarea'

/** Of an element, in the page: what it is labelled, or reads. */
const labelOf = `element =>
  element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent`

/** Presses Tab until the focus is on what is labelled so, or reads so; at once where it is there already. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const isThere = `[...document.querySelectorAll('${focusable}')].some(
    element => !element.disabled && ${name}.test((${labelOf})(element)))`
  await eventually(`${name} is on the page`, () => page.evaluate<boolean>(isThere))
  for (let presses = 0; presses < mostPresses; presses++) {
    const label = await page.evaluate<string>(
      `(element => (element.matches('${focusable}') ? (${labelOf})(element) : ''))(document.activeElement)`,
    )
    if (name.test(label)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`The Tab key does not lead to ${name}`)
}

/** Goes there by Tab and presses Enter. */
export async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Goes to a field by Tab and types over what stands there. */
export async function typeInto(page: Page, name: RegExp, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Opens the menu of that name and chooses an entry by the arrow keys. */
export async function choose(page: Page, menu: RegExp, entry: RegExp): Promise<void> {
  await press(page, menu)
  await page.getByRole('menuitem', { name: entry }).waitFor()
  for (let presses = 0; presses < mostPresses; presses++) {
    const focused = await page.evaluate<string>(
      `document.activeElement.matches('[role=menuitem]') ? document.activeElement.textContent : ''`,
    )
    if (entry.test(focused)) return await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    // The menu moves the focus by a timer of its own.
    await page.evaluate('new Promise(moved => setTimeout(moved, 0))')
  }
  const focused = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 200)')
  assert.fail(`The arrow keys do not lead to ${entry}: the focus is on ${focused}`)
}
