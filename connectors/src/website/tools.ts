/** What agents can do with a website: read a page of it, as it is now. */
import type { ConnectorTool } from '../connector.ts'
import { HttpFailure } from '../http.ts'
import { objectSchema } from '../schemas.ts'
import { arriveAt } from './fetch-page.ts'
import { readRobots } from './robots.ts'
import type { WebsiteConfig } from './settings.ts'
import { createSite, wantedAmong } from './site.ts'

const maxLinks = 50

const fetchPage: ConnectorTool<WebsiteConfig> = {
  name: 'fetch_page',
  description:
    'Reads one page of the connected website as it is now: its title, its main text as Markdown, and the links to other pages of the site.',
  input: objectSchema(
    {
      url: {
        type: 'string',
        minLength: 1,
        maxLength: 1_000,
        description: 'The address of the page, or its path: /guide/install.',
      },
    },
    ['url'],
  ),
  changes: false,
  async run(context, input) {
    const { origin } = new URL(context.config.url)
    const site = createSite(context.config, origin)
    const address = site.known(String(input.url), context.config.url)
    if (address === null || !site.wants(address)) {
      throw new HttpFailure('forbidden', `Only pages of ${context.config.url} can be read`)
    }
    const robots = await readRobots(context, origin)
    const [isAllowed] = await robots.allow([address])
    if (isAllowed !== true) {
      throw new HttpFailure('forbidden', `The website does not allow robots to read ${address}`)
    }
    const arrived = await arriveAt(context, { address, everyMs: robots.everyMs })
    if (arrived?.visited.kind === 'file') await arrived.visited.response.body?.cancel()
    if (arrived?.visited.kind !== 'page') throw new HttpFailure('missing', `There is no page at ${address}`)
    const { title, text, links } = arrived.visited.reading
    const url = arrived.address
    const others = (await wantedAmong(site, links)).filter(link => link !== url)
    return { url, title, text, links: [...new Set(others)].slice(0, maxLinks) }
  },
}

export const websiteTools: readonly ConnectorTool<WebsiteConfig>[] = [fetchPage]
