/** What is connected, and what can be. */
import { Page } from '../../ui/page.tsx'
import { Catalog } from './catalog.tsx'
import { Connections } from './connections.tsx'

export function Room() {
  return (
    <Page
      title="Integrations"
      description="Services that this workspace is connected to. Their secrets are stored encrypted and never shown."
    >
      <Connections />
      <Catalog />
    </Page>
  )
}
