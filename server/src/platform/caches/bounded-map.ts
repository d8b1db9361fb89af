/** A map that cannot fill the memory: once it is full, the entry that was set longest ago makes room. */

export type BoundedMap<Value> = Pick<Map<string, Value>, 'get' | 'delete' | 'clear'> & {
  /** The entry counts as the newest from then on. */
  set(name: string, value: Value): Value
}

export function createBoundedMap<Value>(limit: number): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: name => entries.get(name),
    delete: name => entries.delete(name),
    clear: () => entries.clear(),
    set(name, value) {
      entries.delete(name)
      entries.set(name, value)
      const oldest = entries.size > limit ? entries.keys().next() : undefined
      if (oldest?.done === false) entries.delete(oldest.value)
      return value
    },
  }
}
