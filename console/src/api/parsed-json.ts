/** What a text says as JSON; undefined where it is none, such as what a person is still typing. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says what that means.
    return undefined
  }
}
