/** The numbers beyond which no reader reads on. The guide of formats prints them. */

/** The longest text that a document may have, in UTF-16 units. */
export const maxTextLength = 20_000_000

/** UTF-8 has four bytes a character at most, so a longer file of text alone holds too long a text. */
export const maxTextBytes = maxTextLength * 4

export const maxPdfPages = 10_000

/** With 76 letters a line, this is more than the largest message that is read as a whole. */
export const maxMailLines = 1_200_000

/** The pages that text recognition reads. */
export const maxRecognisedPages = 500
