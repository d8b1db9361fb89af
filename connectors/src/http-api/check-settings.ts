/** What the schema cannot say of the settings: what belongs together, and what an address and a header may be. */
import type { ConfigFault } from '../connector.ts'
import { headerFaults } from '../headers.ts'
import type { HttpConfig, PagingSettings } from './settings.ts'

export function checkSettings(config: HttpConfig): ConfigFault[] {
  return [...openingFaults(config), ...sourceFaults(config)]
}

function openingFaults(config: HttpConfig): ConfigFault[] {
  const faults = headerFaults(config, false)
  const base = URL.parse(config.baseUrl)
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    faults.push({ field: 'baseUrl', message: 'must be an address that begins with https:// or http://' })
  } else if (base.username !== '' || base.password !== '' || base.search !== '' || base.hash !== '') {
    faults.push({ field: 'baseUrl', message: 'must have no user name, password, query or fragment' })
  }
  return faults
}

function sourceFaults({ list, detail, content, fields }: HttpConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  const demand = (field: string, value: unknown, why: string) => {
    if (value === undefined) faults.push({ field, message: `must be given: ${why}` })
  }
  if (list !== undefined) {
    faults.push(...pagingFaults(list.paging))
    if (list.since !== undefined)
      demand('fields.updated', fields.updated, 'list.since asks for what changed since then')
  } else if (detail !== undefined) {
    faults.push({ field: 'list', message: 'must be given: detail reads the items of a list' })
  }
  if (content.from === 'field') demand('content.field', content.field, 'content.from is field')
  if (content.from === 'download') demand('content.path', content.path, 'content.from is download')
  if (content.from === 'item' && ['html', 'text'].includes(content.format)) {
    faults.push({ field: 'content.format', message: 'must be markdown or json: content.from is item' })
  }
  for (const [field, path] of [
    ['detail.path', detail?.path],
    ['content.path', content.path],
  ] as const) {
    if (path !== undefined && !path.includes('{id}')) faults.push({ field, message: 'must contain {id}' })
  }
  return faults
}

function pagingFaults({ kind, pointer, size, sizeParameter }: PagingSettings): ConfigFault[] {
  const faults: ConfigFault[] = []
  if ((kind === 'cursor' || kind === 'next') && pointer === undefined) {
    const message = `must be given: list.paging.kind is ${kind}`
    faults.push({ field: 'list.paging.pointer', message })
  }
  if (sizeParameter !== undefined && size === undefined) {
    faults.push({
      field: 'list.paging.size',
      message: 'must be given: list.paging.sizeParameter asks for it',
    })
  }
  return faults
}
