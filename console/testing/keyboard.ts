/** A page in the hands of somebody who has no pointer. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const mostPresses = 120

/** Presses Tab until the focus is on what is labelled so, or reads so; at once where it is there already. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < mostPresses; presses++) {
    const label = await page.evaluate<string>(`(element => {
      if (!element.matches('a, button, summary, input, select, textarea')) return ''
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
    })(document.activeElement)`)
    if (name.test(label)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`The Tab key does not lead to ${name}`)
}
