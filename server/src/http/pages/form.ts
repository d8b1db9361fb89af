/** Reads the form that a browser or an app sends. */
import { OutsideFault, readForm } from '@atrium/connectors/gate'
import { ServiceError } from '../../platform/errors.ts'

/** Throws `malformed_request` for a form that is larger than any of ours. */
export function formOf(text: string): URLSearchParams {
  try {
    return readForm(text)
  } catch (cause) {
    if (!(cause instanceof OutsideFault)) throw cause
    throw new ServiceError('malformed_request', `The form is ${cause.message}`, { cause })
  }
}
