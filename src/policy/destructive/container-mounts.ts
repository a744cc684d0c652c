/** `-v /:/host`, `--mount type=bind,source=/,target=/host` → [['/', '/host']] */
export function mountsOf(words: readonly string[]): [source: string, target: string][] {
  return words.flatMap((word, i): [string, string][] => {
    const given = /^(?:-v|--volume|--mount)$/.test(words[i - 1] ?? '')
      ? word
      : /^(?:-v|--(?:volume|mount)=)(.+)$/.exec(word)?.[1]
    if (given === undefined) return []
    const short = /^([^:,]+):(\/[^:]*)/.exec(given)
    const source = short?.[1] ?? /\b(?:source|src)=([^,]+)/.exec(given)?.[1]
    const target = short?.[2] ?? /\b(?:target|destination|dst)=([^,]+)/.exec(given)?.[1]
    return source && target ? [[source, target]] : []
  })
}
