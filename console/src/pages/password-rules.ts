/** What the server takes as a password, said before anybody chooses one. */
export const passwordLength = { minLength: 10, maxLength: 128 }
export const passwordHint = 'At least 10 characters. A few words in a row are easy to keep and hard to guess.'
