import type { Streams } from '../office/compound.ts'
import type { About, Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'

/** Writes the document that these streams hold. Throws `ParseFailure`; any other error says that it is damaged. */
export type OldWriter = (streams: Streams, source: Source, writer: TextWriter) => Promise<About>
