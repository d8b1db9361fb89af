/** The operator's file of models' windows and prices, read once at the start. */
import { readFile } from 'node:fs/promises'
import { noPriceTable, type PriceTable, parsePriceTable } from '../platform/models/price-table.ts'
import { SettingsError, settingDefinitions } from '../settings/settings.ts'

const maxFaultsTold = 50

/** Throws `SettingsError` with a line for each fault; without a file the table is empty. */
export async function readModelPrices(path: string | null): Promise<PriceTable> {
  if (path === null) return noPriceTable
  const { variable } = settingDefinitions.modelPricesFile
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SettingsError([`${variable}: ${JSON.stringify(path)} cannot be read (${error.code})`])
  })
  const { table, faults } = parsePriceTable(text)
  if (faults.length === 0) return table
  throw new SettingsError(faults.slice(0, maxFaultsTold).map(fault => `${variable}: ${path}: ${fault}`))
}
