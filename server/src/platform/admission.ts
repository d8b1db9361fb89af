/** What the HTTP layer is given by the features: an authenticator, a meter of requests and a limiter. */
import type { Caller, Door, RequestCaller } from './caller.ts'
import type { ServiceError, TokenFault } from './errors.ts'

/** The caller of a token. `refusal` is thrown after the request has been counted; null means no refusal. */
export type Authentication = { caller: RequestCaller; refusal: ServiceError | null }

/** Why a token lets no one in; `endedAt` is when it ended, in milliseconds since the Unix epoch. */
export type RefusedToken = { fault: TokenFault; endedAt?: number }

export type AdmittedRequest = {
  address: string
  requestId: string
  /** True for a check during a long reply. A person's or page's token that expired meanwhile does not end it. */
  isUnderWay?: boolean
  /** The origin of the page that asks. A browser token is refused without an origin. */
  origin?: string | null
  /** The door that the request comes in at; the API unless given. A token for another door alone is not valid. */
  door?: Door
}

export type Authenticator = {
  /** False for a text that cannot be a token of any kind. Does not read the database. */
  isWellFormed(token: string): boolean
  /** True if this process recently found the token valid. */
  wasValid(token: string): boolean
  find(token: string, request: AdmittedRequest): Promise<Authentication | RefusedToken>
}

export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  /** Unix epoch seconds. */
  resetAtSeconds: number
}

/** Counts the requests of admitted callers, for the usage report. */
export type RequestMeter = { count(caller: Caller): void }

export type Limiter = {
  /**
   * A key's request counts for its workspace and environment, a person's for the person in the workspace. A page's
   * request counts for its token, or for the address of an anonymous visitor, and then for the workspace too. Once
   * the token or the address has used up its allowance, the request counts for nothing else.
   */
  count(caller: Caller): Promise<Allowance>
  /** Counts a person's request outside of any workspace. */
  countPerson(userId: string): Promise<Allowance>
  /** The allowance that the keys of the caller's workspace and environment have left. Counts nothing. */
  peek(caller: Caller): Promise<Allowance>
  countAddress(address: string): Promise<Allowance>
  /** Counts a request to a trigger, within the trigger's own limit. */
  countTrigger(triggerId: string, perMinute: number): Promise<Allowance>
  /** Counts a request outside of the API by its address: for a page, or a probe of the server's health. */
  countVisit(address: string, what: 'page' | 'probe'): Promise<Allowance>
  /** The address's allowance without counting. */
  peekAddress(address: string): Promise<Allowance>
}
