/** Words of a text that could be the name of a program, wherever they are: in quotes, in a substitution, in a here-document. */
export const wordsIn = (text: string): string[] =>
  [...text.slice(0, LONGEST_TEXT).matchAll(/(?<![\w$/.+-])[A-Za-z0-9_][\w.+-]*(?![\w/])/g)].map(([word]) => word)

const LONGEST_TEXT = 64 * 1024
