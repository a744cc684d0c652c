/**
 * What a person must be warned of when a line is shown to them: characters and text that make a screen say something
 * else than what would run. Pure.
 */
export type DisplayFlag =
  | 'bidi_control'
  | 'zero_width'
  | 'homoglyph'
  | 'unicode_space'
  | 'control_char'
  | 'ansi_escape'
  | 'long_whitespace'
  | 'truncated_view'
  | 'combining_stack'
  | 'html_text'

const CHARACTERS: readonly (readonly [DisplayFlag, RegExp])[] = [
  ['bidi_control', /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/],
  ['zero_width', /(?![\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])(?:\p{Default_Ignorable_Code_Point}|\p{Cf})/u],
  ['unicode_space', /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]/],
  // Lone surrogates cannot be sent to a shell as they are, so they count with the characters nobody can see.
  ['control_char', /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009a\u009c\u009e\u009f]|\p{Cs}/u],
  ['ansi_escape', /[\u001b\u009b\u009d]/],
  ['combining_stack', /\p{M}{3}/u],
]
/** An emoji made of several: its joiners and selectors are part of one visible picture, not hidden text. */
const EMOJI =
  /[0-9#*]\ufe0f\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu
const LONG_BLANKS = /[ \t]{32}|\n[ \t]*(?:\n[ \t]*){7}/
const LONG_TEXT = 1000
const MANY_LINES = 25
const MARKUP = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]{0,500})?\/?>|<!--|&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});|javascript:/i
/** Markup that would do something in a page. A bare tag is what people search for. */
const ACTIVE_MARKUP =
  /<script\b[^<>]{0,500}(?:>\s*[^\s'"<]|\ssrc\s*=)|<(?:iframe|object|embed|base|meta|link)\s[^<>]{0,500}=|<style\b[^<>]{0,500}>[^<]{0,500}\{|<\w[^<>]{0,500}[\s/]on\w{3,}\s*=|javascript:/i
const LOOKS_LIKE_ASCII =
  /[\u00b4\u02b9-\u02bc\u02c8\u02cb\u2010-\u2015\u2018-\u201f\u2024\u2032-\u2036\u2039\u203a\u2044\u204e\u2212\u2215-\u2217\u2223\u2236\u223c\u2758\u2768\u29f5\u29f8\ua789\ufe52-\ufe6b\uff01-\uff5e]/
const FOREIGN_LETTER =
  /[\u0370-\u03ff\u0400-\u052f\u0531-\u058f\u10a0-\u10ff\u13a0-\u13f4\u2100-\u214f]|[\u{1d400}-\u{1d7ff}]/u

/** Flags after which nothing runs unasked, whatever the rules say. */
const NEVER_AUTO: ReadonlySet<DisplayFlag> = new Set<DisplayFlag>([
  'bidi_control',
  'zero_width',
  'homoglyph',
  'unicode_space',
  'control_char',
  'ansi_escape',
  'long_whitespace',
  'combining_stack',
])

export function displayFlags(text: string): DisplayFlag[] {
  const flags: DisplayFlag[] = []
  if (/[^\n\t -~]/.test(text)) {
    const withoutEmoji = text.replace(EMOJI, 'x')
    for (const [flag, pattern] of CHARACTERS) if (pattern.test(withoutEmoji)) flags.push(flag)
    // Quotes and backslashes do not part a word: `ls −"la"` is one option for the eye.
    const together = withoutEmoji.replace(/["'\\]/g, '')
    if (hasForeignProgram(withoutEmoji) || hasLookAlike(withoutEmoji) || hasLookAlike(together)) flags.push('homoglyph')
  }
  // Letters of another alphabet, spelled in plain ones.
  if (!flags.includes('homoglyph') && ENCODED_HOST.test(text)) flags.push('homoglyph')
  if (LONG_BLANKS.test(text)) flags.push('long_whitespace')
  if (text.length > LONG_TEXT || text.split('\n', MANY_LINES + 1).length > MANY_LINES) flags.push('truncated_view')
  if (MARKUP.test(text) || ACTIVE_MARKUP.test(text)) flags.push('html_text')
  return flags
}

/** Why a line with these flags is not for a rule to allow, or null. */
export function deception(text: string, flags: readonly DisplayFlag[]): string | null {
  const worst = flags.find(flag => NEVER_AUTO.has(flag))
  if (worst) return DECEPTIONS[worst]
  return flags.includes('html_text') && ACTIVE_MARKUP.test(text) ? DECEPTIONS.html_text : null
}

const DECEPTIONS: Readonly<Record<DisplayFlag, string>> = {
  bidi_control: 'a character that turns the direction of the text around',
  zero_width: 'a character nobody can see',
  homoglyph: 'a letter that looks like another one',
  unicode_space: 'a space that is not a plain space',
  control_char: 'a control character',
  ansi_escape: 'a terminal escape sequence',
  long_whitespace: 'a long run of blanks that could push text out of sight',
  truncated_view: 'more text than a card shows at once',
  combining_stack: 'marks stacked on one character',
  html_text: 'markup that a page could run',
}

/** Letters of other alphabets, and odd Latin ones, that pass for plain ones where only plain ones belong: a program, a host. */
const PROGRAM_WORDS = /(?:^|[;|&(\n])[ \t]*([^\s;|&()<>'"]+)/g
const ODD_LATIN = /[\u0131\u0138\u017f\u0180-\u02af\u1d00-\u1dbf\ua720-\ua7ff]/
const FOREIGN_HOST = /\b[a-z][a-z0-9+.-]{1,9}:\/\/[^\s/'"]*[^\u0000-\u007f]/i
const ENCODED_HOST = /\b[a-z][a-z0-9+.-]{1,9}:\/\/[^\s/'"]*\bxn--/i
/** Signs that pass for shell or path syntax between plain characters; inside a text of their own script they are fine. */
const FOREIGN_SYNTAX =
  /(?:^|[\u0000-\u007f])[\u01c0\u037e\u2024\u2044\u204e\u2215\u2217\u2223\u2236\u2758\u29f5\u29f8\ua789\ufe52-\ufe6b\uff01-\uff5e](?:[\u0000-\u007f]|$)/

/** Greek letters that pass for no Latin one: `Δt`, `μs`. */
const UNMISTAKABLE = /[ΓΔΘΛΞΠΣΦΨΩδθλμξπφψ]/g

const QUOTED = /'[^']*'|"[^"]*"/g

/** An operator inside quotes starts no program: `rg 'да|нет'`. Where a quote may hold a command or stays open, it counts. */
function hasForeignProgram(text: string): boolean {
  const unsure = /[`\\]|\$\(/.test(text) || /['"]/.test(text.replace(QUOTED, ''))
  const line = unsure ? text : text.replace(QUOTED, quoted => quoted.slice(1, -1).replace(/[;|&(\n]/g, 'x'))
  for (const [, word = ''] of line.matchAll(PROGRAM_WORDS))
    if (/[\p{L}\p{N}]/u.test(word) && [FOREIGN_LETTER, LOOKS_LIKE_ASCII, ODD_LATIN].some(odd => odd.test(word)))
      return true
  return false
}

/** A word of one script is a language; a word that mixes scripts, or wears a foreign dash or quote as syntax, is a disguise. */
function hasLookAlike(text: string): boolean {
  if (FOREIGN_HOST.test(text) || FOREIGN_SYNTAX.test(text)) return true
  return text.split(/[\s'"`;|&()<>]+/).some(word => {
    if (!/[^\u0000-\u007f]/.test(word)) return false
    if (/^[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/.test(word) && word.length > 1) return true
    return word
      .split(/[^\p{L}\p{M}]+/u)
      .some(run => /[A-Za-z]/.test(run) && FOREIGN_LETTER.test(run.replace(UNMISTAKABLE, '')))
  })
}
