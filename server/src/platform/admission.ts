/** What the HTTP layer asks of the features that know keys and limits; both are handed to it. */
import type { Caller, Door, RequestCaller } from './caller.ts'
import type { ServiceError } from './errors.ts'

/** What a token stands for. `refusal` is thrown once the request has been counted. */
export type Authentication = { caller: RequestCaller; refusal: ServiceError | null }

export type AdmittedRequest = {
  address: string
  requestId: string
  /** True for a reply that goes on: a token's own end cuts short nothing that was begun with it. */
  isUnderWay?: boolean
  /** Of the page that asks; a browser token is refused without one. */
  origin?: string | null
  /** Where it comes in; the API unless given. What is good for another door only is not valid here. */
  door?: Door
}

export type Authenticator = {
  /** False for what can be neither a key nor a person's token, without a look at the database. */
  isWellFormed(token: string): boolean
  /** True if this process has lately seen the token to be valid. */
  wasValid(token: string): boolean
  find(token: string, request: AdmittedRequest): Promise<Authentication | null>
}

export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  /** Unix epoch seconds. */
  resetAtSeconds: number
}

/** Counts who was let in, for those who ask what was used. */
export type RequestMeter = { count(caller: Caller): void }

export type Limiter = {
  /**
   * A key's requests count for its workspace and environment, a person's for the person in the workspace. A page's count for
   * its token too, or for its address where an anonymous visitor is before it; where that has used up its own, for nothing
   * else.
   */
  count(caller: Caller): Promise<Allowance>
  /** Counts what a person asks beside any workspace. */
  countPerson(userId: string): Promise<Allowance>
  /** What is left to the keys of the caller's workspace and environment, without counting. */
  peek(caller: Caller): Promise<Allowance>
  countAddress(address: string): Promise<Allowance>
  /** Counts what is sent to a trigger, within its own limit. */
  countTrigger(triggerId: string, perMinute: number): Promise<Allowance>
  /** Counts what an address asks beside the API, whatever it is. */
  countVisit(address: string, what: 'page' | 'probe'): Promise<Allowance>
  /** The address's allowance without counting. */
  peekAddress(address: string): Promise<Allowance>
}
