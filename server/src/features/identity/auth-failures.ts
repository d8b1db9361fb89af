/** better-auth's refusals in our words and codes. */
import { invalidField, ServiceError } from '../../platform/errors.ts'
import { unusable } from './links.ts'

type Refusal = { code?: unknown; message?: unknown }

export function authFailure(status: number, { code, message }: Refusal): ServiceError {
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
    case 'INVALID_EMAIL':
      return new ServiceError('sign_in_refused')
    case 'EMAIL_NOT_VERIFIED':
      return new ServiceError('email_not_verified')
    case 'INVALID_PASSWORD':
      return invalidField('password', 'is wrong')
    case 'INVALID_CODE':
    case 'INVALID_BACKUP_CODE':
      return invalidField('code', 'is wrong, or was used before')
    case 'TOTP_NOT_ENABLED':
    case 'BACKUP_CODES_NOT_ENABLED':
    case 'TWO_FACTOR_NOT_ENABLED':
      return new ServiceError('conflict', 'There is no second factor: turn it on first')
    case 'INVALID_TWO_FACTOR_COOKIE':
      return new ServiceError('sign_in_required', 'Begin with the e-mail address and the password again')
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return tooMany('Too many wrong codes: begin with the e-mail address and the password again', 1)
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return tooMany('Too many wrong codes: try again in 15 minutes', 900)
    case 'INVALID_TOKEN':
      return unusable()
    default:
      return byStatus(status, typeof message === 'string' ? message : undefined)
  }
}

const tooMany = (message: string, seconds: number): ServiceError =>
  new ServiceError('rate_limited', message, { headers: { 'retry-after': String(seconds) } })

function byStatus(status: number, message: string | undefined): ServiceError {
  if (status === 401) return new ServiceError('sign_in_required')
  if (status === 404) return new ServiceError('not_found')
  if (status === 409) return new ServiceError('conflict', message)
  if (status < 500) return new ServiceError('validation_failed', message)
  return new ServiceError('internal_error', undefined, { cause: new Error(`better-auth answered ${status}`) })
}
