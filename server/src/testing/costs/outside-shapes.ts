/** Texts that make parsers slow, of about 4 MiB at most. */
export const mebibyte = 1024 * 1024
export const outsideShapes: Record<string, string> = {
  '400,000 empty objects': `[${'{},'.repeat(399_999)}{}]`,
  '330,000 keys': `{${Array.from({ length: 330_000 }, (_, at) => `"k${at}":1`).join()}}`,
  '1.9 M brackets': '['.repeat(950_000) + ']'.repeat(950_000),
  'one text': JSON.stringify('x'.repeat(4 * mebibyte - 100)),
  'numbers at both ends': `[${'1e308,-1e308,5e-324,1e999,9007199254740993,'.repeat(40_000)}-1e999]`,
}
