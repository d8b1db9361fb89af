/** The thread in which strangers' texts are read: what hangs or swells here is ended, and nothing else with it. */
import { parentPort } from 'node:worker_threads'
import { readPage } from './read-page.ts'
import { readRobots } from './read-robots.ts'
import { readSitemap } from './read-sitemap.ts'
import type { PageReading, RobotsReading, SitemapReading, Task } from './tasks.ts'

parentPort?.on('message', (task: Task) => {
  try {
    parentPort?.postMessage({ reading: read(task) })
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) })
  }
})

function read(task: Task): PageReading | SitemapReading | RobotsReading {
  switch (task.kind) {
    case 'page':
      return readPage(task)
    case 'sitemap':
      return readSitemap(task)
    case 'robots':
      return readRobots(task)
  }
}
