/** The part of a text that asks, without the rest: "You are an analyst. Based on the notes, what is …?" */

/** The sentences with a question mark, each from its question word on; empty if there are none. */
export const askedIn = (text: string): string =>
  text
    .split(/(?<=[.?!])\s|\n/)
    .filter(sentence => sentence.endsWith('?'))
    .map(sentence => /,\s((?:what|which|who|whose|when|where|why|how)\b.*)/i.exec(sentence)?.[1] ?? sentence)
    .join(' ')
