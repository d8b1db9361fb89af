/** Joins class names; what is absent or false is left out. */
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(name => name !== false && name != null && name !== '').join(' ')
