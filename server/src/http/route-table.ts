/** Which methods a path has, for the `Allow` header of a 405. */
import type { Route } from './route.ts'

/** The methods of the routes whose pattern fits `path`; none where no route does. */
export function allowedMethods(routes: readonly Route[], path: string): string[] {
  const segments = path.split('/')
  const methods = routes.filter(route => fits(route.path.split('/'), segments)).map(route => route.method)
  return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort()
}

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && segments[index] !== ''))
