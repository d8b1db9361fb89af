/** The calls about one's own account, by the session's cookie. */
import { call } from '../../session/session-client.ts'

export type Session = {
  id: string
  current: boolean
  ipAddress: string | null
  userAgent: string | null
  createdAt: string
  expiresAt: string
}

export const changeName = (name: string) => call<void>('POST', '/auth/update-user', { name })

export const changePassword = (currentPassword: string, newPassword: string) =>
  call<void>('POST', '/auth/change-password', { currentPassword, newPassword })

export const listSessions = (signal: AbortSignal) =>
  call<Session[]>('GET', '/auth/list-sessions', undefined, signal)

export const endOneSession = (id: string) => call<void>('POST', '/auth/revoke-session', { id })

export const endOtherSessions = () => call<void>('POST', '/auth/revoke-other-sessions', {})

/** It holds once a code has been given. */
export const beginSecondFactor = (password: string) =>
  call<{ totpURI: string; backupCodes: string[] }>('POST', '/auth/two-factor/enable', { password })

export const renewRecoveryCodes = (password: string) =>
  call<{ backupCodes: string[] }>('POST', '/auth/two-factor/generate-backup-codes', { password })

export const endSecondFactor = (password: string) =>
  call<void>('POST', '/auth/two-factor/disable', { password })
