/**
 * Makes the 404 for a path whose record does not exist for the caller: it names the kind and the id, and is the same
 * for a record of another workspace, a withheld one and one that never existed.
 */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Caller, Environment, RequestCaller } from '../../platform/caller.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import { checkPermission } from '../gate.ts'
import type { Route } from '../route.ts'
import { exampleOf, hasForm, type PathName, pathNamesOf } from './path-names.ts'

/**
 * The caller in the other environment of its workspace, as far as it reaches there. Null for a caller who reaches only
 * a part of the workspace: it must not learn what the other part holds.
 */
export type InOtherEnvironment = (caller: RequestCaller) => Promise<RequestCaller | null>

/** Whether the handler of a record's route finds the record for the caller. */
export type Reaches = (
  route: Route,
  caller: RequestCaller,
  params: Record<string, string>,
) => Promise<boolean>

export type MissingRecords = {
  /** Throws for an id that cannot be one of the kind that the path asks for; nothing is looked up. */
  checkForm(route: Route, params: Record<string, string>): void
  /**
   * Names what a bare `not_found` leaves open. Of several ids in a path, the first that the caller does not reach is
   * the missing one.
   */
  name(route: Route, caller: RequestCaller | null, params: Record<string, string>): Promise<ServiceError>
}

export function createMissingRecords(
  routes: readonly Route[],
  { reaches, inOtherEnvironment }: { reaches: Reaches; inOtherEnvironment: InOtherEnvironment },
): MissingRecords {
  const namesOf = new Map(routes.map(route => [route, pathNamesOf(route)]))
  const recordRoutes = new Map(
    routes.filter(isOfRecord).map(route => [placeOf(route, route.path), route] as const),
  )

  /** Null unless the caller, who reaches the whole workspace, could read the record with a key of that environment. */
  const environmentOf = async (
    route: Route | undefined,
    caller: RequestCaller,
    params: Record<string, string>,
  ): Promise<Environment | null> => {
    if (route === undefined || !isAllowed(route, caller)) return null
    const other = await inOtherEnvironment(caller)
    if (other === null || !isAllowed(route, other)) return null
    return (await reaches(route, other, params)) ? other.scope.environment : null
  }

  return {
    checkForm(route, params) {
      for (const name of namesOf.get(route) ?? []) {
        const value = params[name.parameter] ?? ''
        if (!hasForm(name, value)) throw malformed(name, value)
      }
    },
    async name(route, caller, params) {
      const names = namesOf.get(route) ?? []
      const last = names.at(-1)
      if (last === undefined) return notFound(undefined, { resource: 'record' })
      if (caller === null) return missing(last, params, null)
      for (const [place, name] of names.entries()) {
        const recordRoute = recordRoutes.get(placeOf(route, name.path))
        const isMissing =
          name === last || (recordRoute !== undefined && !(await reaches(recordRoute, caller, params)))
        if (!isMissing) continue
        const environment = await environmentOf(recordRoute, caller, params)
        if (environment !== null) return elsewhere(name, params, environment)
        return missing(name, params, names[place - 1] ?? null)
      }
      return missing(last, params, null)
    },
  }
}

/** A 404 that a service has thrown without saying what is missing. */
export const isBare = (error: unknown): error is ServiceError =>
  error instanceof ServiceError &&
  error.code === 'not_found' &&
  error.errors.length === 0 &&
  Object.keys(error.details).length === 0

const placeOf = ({ protocol }: Route, path: string): string => `${protocol?.prefix ?? ''}${path}`

/** A route that only reads the record which its path ends with. */
const isOfRecord = ({ method, path, list, answersEvents, answersFile }: Route): boolean =>
  method === 'GET' &&
  /:[A-Za-z]+$/.test(path) &&
  list === undefined &&
  answersEvents === undefined &&
  !answersFile

function isAllowed(route: Route, caller: Caller): boolean {
  try {
    checkPermission(route, caller)
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function malformed(name: PathName, value: string): ServiceError {
  const form = exampleOf(name)
  const article = /^[aeiou]/i.test(name.words) ? 'an' : 'a'
  const looks = form === null ? '' : `, which looks like ${form}`
  const id = shown(value)
  return notFound(
    `${JSON.stringify(id)} is not ${article} ${name.words}'s id${looks}`,
    withoutUndefined({ resource: name.resource, id, form: form ?? undefined }),
  )
}

function missing(name: PathName, params: Record<string, string>, parent: PathName | null): ServiceError {
  if (name.kind === 'secret') {
    return notFound(`There is no ${name.words} with this ${name.parameter}`, { resource: name.resource })
  }
  const { id, words } = called(name, params)
  const of = parent === null ? null : called(parent, params)
  const place = of === null ? '' : ` of the ${of.words}`
  return notFound(
    `There is no ${words}${place}`,
    withoutUndefined({ resource: name.resource, id, of: of?.id }),
  )
}

function elsewhere(name: PathName, params: Record<string, string>, environment: Environment): ServiceError {
  const { id, words } = called(name, params)
  const [here, there] =
    environment === 'test' ? (['live data', 'the sandbox'] as const) : (['the sandbox', 'live data'] as const)
  return notFound(`There is no ${words} in ${here}; it is in ${there}: use a ${environment} key`, {
    resource: name.resource,
    id,
    environment,
  })
}

function called(name: PathName, params: Record<string, string>): { id: string; words: string } {
  const id = shown(params[name.parameter] ?? '')
  const by = name.kind === 'text' && name.called !== undefined ? ` with ${name.called}` : ''
  return { id, words: `${name.words}${by} ${name.kind === 'id' ? id : JSON.stringify(id)}` }
}

const mostShown = 200

/** What was sent, in a form that can be shown. */
const shown = (value: string): string =>
  value
    .slice(0, mostShown)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd')
