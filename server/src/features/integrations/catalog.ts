/** The services that can be connected; a new one is a folder under `catalog/` and a line here. */
import { github } from './catalog/github/manifest.ts'
import { googleDrive } from './catalog/google-drive/manifest.ts'
import { http } from './catalog/http/manifest.ts'
import { website } from './catalog/website/manifest.ts'
import type { Manifest } from './manifest.ts'

export const catalog: readonly Manifest[] = [github, googleDrive, http, website]
