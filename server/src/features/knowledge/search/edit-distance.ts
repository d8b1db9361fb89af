/** How many letters are wrong: missing, too many, others, or two neighbours in the wrong order (optimal string alignment). */

/** `most` + 1 for all that are further apart. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwapped)
        distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    if (least > most) return most + 1
    beforePrevious = previous
    previous = current
  }
  return Math.min(most + 1, previous[other.length] ?? 0)
}

/** Every string that is one such mistake away, with letters of the word's own script; null for scripts of other kinds. */
export function editsOf(word: string): Set<string> | null {
  const letters = alphabets.find(alphabet => Array.from(word).every(letter => alphabet.includes(letter)))
  if (letters === undefined) return null
  const edits = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of letters) {
      edits.add(`${before}${letter}${after}`)
      if (after !== '') edits.add(`${before}${letter}${after.slice(1)}`)
    }
    edits.add(`${before}${after.slice(1)}`)
    if (after.length > 1) edits.add(`${before}${after[1]}${after[0]}${after.slice(2)}`)
  }
  edits.delete(word)
  return edits
}

/** As `fold` leaves their letters. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяіє',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכךלמםנןסעפףצץקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءئؤ',
]
