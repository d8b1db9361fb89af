/** Optional fields of objects whose type, or whose reader, tells an absent field from one that is `undefined`. */

/** As `T`, with `undefined` allowed for each field that may be absent. */
type WithUndefined<T> = {
  [Key in keyof T]: Record<never, never> extends Pick<T, Key> ? T[Key] | undefined : T[Key]
}

/**
 * The object without its fields that are `undefined`. `T` is the type that is expected at the call, never the type of
 * the argument: so fields that `T` does not know are errors, as they are in a literal.
 */
export const withoutUndefined = <T extends object>(fields: WithUndefined<NoInfer<T>>): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
