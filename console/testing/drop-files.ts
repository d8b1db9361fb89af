/** Files that somebody lets go of above a collection's page. */
import type { Page } from 'playwright-core'

export type Dropped = { name: string; content: string }

/** As the browser does it. */
export const dropFiles = (page: Page, files: readonly Dropped[]): Promise<unknown> =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer()
    for (const { name, content } of ${JSON.stringify(files)}) transfer.items.add(new File([content], name))
    const area = document.querySelector('section[aria-label=Upload]')
    for (const type of ['dragover', 'drop'])
      area.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }))
  })()`)
