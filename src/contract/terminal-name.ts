/** Between who runs in a terminal and where. */
export const BETWEEN = ' · '

/**
 * The name of a terminal in the parts that are drawn one by one: the sign between them is ours. Any other of its kind is
 * somebody's text, and drawn as such.
 */
export function nameParts(name: string): readonly string[] {
  const at = name.indexOf(BETWEEN)
  return at <= 0 ? [name] : [name.slice(0, at), name.slice(at + BETWEEN.length)]
}
