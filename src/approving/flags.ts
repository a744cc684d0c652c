/** What may be behind a line that looks harmless (policy/model/display-flags.ts), one sentence each. */
const FLAGS: Readonly<Record<string, string>> = {
  bidi_control: 'A character in it reverses the direction of text. It is drawn by its name.',
  zero_width: 'It holds invisible characters. They are drawn by their names.',
  homoglyph: 'A letter in it looks like another one.',
  unicode_space: 'A space in it is not a plain space.',
  control_char: 'It holds control characters.',
  ansi_escape: 'It holds a terminal escape sequence.',
  long_whitespace: 'It holds long runs of blanks that could push text out of sight.',
  truncated_view: 'It is long. All of it has to be in view before it can be approved.',
  combining_stack: 'It holds marks stacked on one character.',
  html_text: 'It holds markup. Here it is only text.',
}

/** A flag that this version does not know is named as it is; whoever shows it draws it. */
export const flagWords = (flag: string): string => FLAGS[flag] ?? flag
