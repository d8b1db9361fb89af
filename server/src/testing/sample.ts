/** Samples for tests of models that ask for none: made at once, in this thread. */
import { sampleOf } from '../platform/json-schema/sample.ts'
import type { Sample } from '../platform/models/built-in.ts'

export const sample: Sample = async (schema, text) => sampleOf(schema, text)
