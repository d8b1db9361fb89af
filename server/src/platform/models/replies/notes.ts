/** Notes about what was repaired in a reply, on their way from its reader to the step of the run. */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'

export const notesIn = (notes: readonly string[]): { providerMetadata?: SharedV3ProviderMetadata } =>
  notes.length === 0 ? {} : { providerMetadata: { atrium: { notes: [...notes] } } }

export function notesOf(metadata: SharedV3ProviderMetadata | undefined): string[] {
  const notes = metadata?.atrium?.notes
  return Array.isArray(notes) ? notes.filter(note => typeof note === 'string') : []
}
