/** Why the server did not take a file, in words for the person who sent it. */
import type { UploadState } from './upload.ts'

export const unsupportedType = 'unsupported_media_type'

type Refused = { code: string; message: string }

export const refusal = (refused: Refused | null): UploadState => ({
  kind: 'failed',
  reason: reasonOf(refused),
  // The same file would be refused again for what it is.
  mayPass: refused?.code !== unsupportedType,
})

export function reasonOf(refused: Refused | null): string {
  if (refused === null) return 'It was not taken.'
  if (refused.code !== unsupportedType) return refused.message
  // The list of types that follows is for programs.
  const [what = refused.message] = refused.message.split(' Supported: ')
  return `${what} Save it as PDF or as text, and upload that.`
}
