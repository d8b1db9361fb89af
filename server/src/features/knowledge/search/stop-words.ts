/**
 * English words that say nothing about what a text is about. They are indexed like others, but neither count
 * in a text's length nor are they looked for, unless a query has nothing else.
 */
export const stopWords: ReadonlySet<string> = new Set(
  [
    'a an the this that these those such',
    'and or but nor if then than so as because while',
    'of in on at by for with from to into onto about between through over under during',
    'i me my mine we us our ours you your yours he him his she her hers it its they them their theirs',
    'is am are was were be been being has have had having do does did doing',
    'can could will would shall should may might must',
    'what which who whom whose when where why how',
    'there here not no any all some other more most also only very',
  ].flatMap(line => line.split(' ')),
)
