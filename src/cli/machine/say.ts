/** To whoever typed the command. Returns the code it ends with. */
export function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`)
  return code
}
