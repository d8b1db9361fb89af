/**
 * What a person is typing, kept for this tab: it survives another page, the other environment, a reload and a sign-in, until
 * it is sent or dropped. It belongs to the person, workspace and environment that it was typed in.
 */
import { useEffect, useState } from 'react'
import { usePerson } from '../session/use-session.ts'
import { useScope } from './scope.tsx'

/** `name` says what it is and of which record, such as `message agt_…`. `kept` is null if nothing is. */
export function useKeptDraft<Value>(name: string): { key: string; kept: Value | null } {
  const { id } = usePerson()
  const { workspace, environment } = useScope()
  const key = `atrium.draft ${id} ${workspace.id} ${environment} ${name}`
  const [kept] = useState(() => read<Value>(key))
  return { key, kept }
}

/** Keeps the value as it changes; null is what was sent or dropped. */
export function useKeeping(key: string, value: unknown): void {
  const text = value === null ? null : JSON.stringify(value)
  useEffect(() => keep(key, text), [key, text])
}

function read<Value>(key: string): Value | null {
  try {
    const text = sessionStorage.getItem(key)
    // Written by this very code, or by an earlier version of it.
    return text === null ? null : (JSON.parse(text) as Value)
  } catch {
    // What is no JSON is no draft of ours.
    return null
  }
}

function keep(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // The browser's room is full: the draft lives as long as the page does.
    sessionStorage.removeItem(key)
  }
}
