/** The part of the authorization server that hands out codes for devices (RFC 8628), and the person who types them. */
import { randomBytes } from 'node:crypto'

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code'

export type DeviceDesk = {
  /** What a device is answered that asks for a code. */
  start(): Record<string, unknown>
  /** What the token endpoint says to a device: null if tokens are due. */
  ask(deviceCode: string): string | null
  /** What the person does with the code. */
  answer: 'pending' | 'approve' | 'deny' | 'expire'
  /** How often the next questions are answered by `slow_down`. */
  slowDowns: number
  asked: number
  /** Every device code that was given out and not used. */
  codes(): string[]
  intervalSeconds: number
  verificationUri: string
}

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#device-flow */
export function createDeviceDesk(): DeviceDesk {
  const codes = new Set<string>()
  return {
    answer: 'pending',
    slowDowns: 0,
    asked: 0,
    codes: () => [...codes],
    intervalSeconds: 1,
    verificationUri: 'https://github.com/login/device',
    start() {
      const deviceCode = randomBytes(20).toString('hex')
      codes.add(deviceCode)
      return {
        device_code: deviceCode,
        user_code: 'WDJB-MJHT',
        verification_uri: this.verificationUri,
        expires_in: 900,
        interval: this.intervalSeconds,
      }
    },
    ask(deviceCode) {
      this.asked++
      if (!codes.has(deviceCode)) return 'incorrect_device_code'
      if (this.slowDowns > 0) {
        this.slowDowns--
        return 'slow_down'
      }
      if (this.answer === 'deny') return 'access_denied'
      if (this.answer === 'expire') return 'expired_token'
      if (this.answer === 'pending') return 'authorization_pending'
      codes.delete(deviceCode)
      return null
    },
  }
}
