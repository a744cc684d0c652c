/**
 * Options in a help text, whoever wrote it: `-o, --output <file>  Write to a file`, `--[no-]color[=<when>]`, ` -in infile`.
 * A guess, made for a table that a person reads.
 */
export function optionsIn(text) {
  const found = new Map()
  let last = []
  for (const line of text.replace(ESCAPES, '').replace(OVERSTRUCK, '').split('\n')) {
    const head = headOf(line)
    if (head === null) {
      // The description goes on, or starts, on the next line.
      const more = line.trim()
      for (const option of last) if (more !== '' && option.told.length < 200) option.told += ` ${more}`
      if (more === '') last = []
      continue
    }
    last = namesIn(head.names).map(({ name, value }) => ({
      name,
      value: /\[boolean\]/.test(head.told) ? 'none' : /\[(string|array|number)\]/.test(head.told) ? 'always' : value,
      told: head.told,
    }))
    const takes = last.find(({ value }) => value !== 'none')?.value ?? 'none'
    for (const option of last) {
      // `-o, --output <file>`: the value stands behind the last name only.
      if (option.value === 'none') option.value = takes
      if (!found.has(option.name)) found.set(option.name, option)
    }
  }
  return [...found.values()]
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')
const OVERSTRUCK = new RegExp(`.${String.fromCharCode(8)}`, 'g')

function headOf(line) {
  const plain = line.replace(/^\s*[│|*•]?\s*(?:\[\s*)?/, '')
  if (!/^-{1,2}[[A-Za-z0-9#]/.test(plain) || line.search(/\S/) > 40) return null
  const columns = plain.split(/\s{2,}|\t| : (?=[A-Z])/)
  const end = columns.findIndex((column, i) => i > 0 && !/^(-{1,2}[A-Za-z[]|[<[{]|[A-Z_]+\b$|, )/.test(column))
  const names = columns.slice(0, end < 0 ? undefined : end).join(' ')
  return { names, told: end < 0 ? '' : columns.slice(end).join(' ') }
}

function namesIn(head) {
  const names = []
  for (const [, dashes, word, no, rest, value] of head.matchAll(NAME)) {
    const takes = value === undefined ? 'none' : value.startsWith('[') ? 'maybe' : 'always'
    const name = `${dashes}${word ?? rest}`
    names.push({ name, value: takes })
    if (no !== undefined) names.push({ name: `--no-${rest}`, value: 'none' })
  }
  return names
}

const NAME =
  /(?<![\w-])(-{1,2})(?:([A-Za-z0-9#][\w.-]*)|\[(no-)\]([\w.-]+))(?:\s?(\[=?[<A-Za-z][^\]]*\]|=[^\s,|]+|<[^>]+>|\{[^}]+\}|[A-Z][A-Z_-]+\b|(?<=[a-z] )[a-z]+(?=$| )|:[^\s,]+))?/g

/** In a name, any of these is worth a look. */
const IN_NAME =
  /exec|command|run(?!e)|script|program|plugin|load|require|import|config|output|\bout|write|save|file|dir\b|folder|path|report|cache|hook|formatter|transform|resolver|preset|environment|\benv|node-?(?:arg|opt)|inspect|watch|serve|\bopen|browser|editor|module|engine|\blog-?(?:file|dir|to)|trace-|profile|snapshot|update|fix|install|delete|remove|overwrite|clean|create|generate|dump|export|upload|registry|shell|eval|wrapper|override|prop\b|define|inject|root|cwd|processor|syntax|parser|init/i
/** A description says more than a name, so only what can hardly be harmless counts there. */
const IN_TEXT =
  /\b(?:execut|runs? (?:a|the|this|command|script|program)|loads? |plugins?\b|require[sd]? (?:a|the|module)|write|writes|written to|save[sd]? (?:to|the|in)|output (?:file|dir|folder|path|to)|overwrit|delet|creates? |generates? |shell|module to|path to (?:a|the|your|custom)|in-?place)/i

export function smellOf({ name, told }) {
  return IN_NAME.exec(name.replace(/([a-z])([A-Z])/g, '$1-$2'))?.[0] ?? IN_TEXT.exec(told)?.[0] ?? null
}
