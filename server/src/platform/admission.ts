/** What the HTTP layer asks of the features that know keys and limits; both are handed to it. */
import type { Caller } from './caller.ts'
import type { ServiceError } from './errors.ts'

/** What a token stands for. `refusal` is thrown once the request has been counted. */
export type Authentication = { caller: Caller; refusal: ServiceError | null }

export type Authenticator = {
  /** False for what cannot be a key, told without a look at the database. */
  isWellFormed(token: string): boolean
  /** True where this process has lately seen the token to be valid. */
  wasValid(token: string): boolean
  find(token: string, request: { address: string; requestId: string }): Promise<Authentication | null>
}

export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  /** Unix epoch seconds. */
  resetAtSeconds: number
}

export type Limiter = {
  count(caller: Caller): Promise<Allowance>
  /** The caller's allowance without counting. */
  peek(caller: Caller): Promise<Allowance>
  countAddress(address: string): Promise<Allowance>
  /** The address's allowance without counting. */
  peekAddress(address: string): Promise<Allowance>
}
