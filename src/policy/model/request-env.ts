/** Variables a request may set without asking: they change how output looks, never what runs. */
const SAFE_NAME =
  /^(CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|COLORTERM|NODE_ENV|RUST_BACKTRACE)$/
const SAFE_VALUE = /^[A-Za-z0-9_.:@,+-]{0,64}$/

/** A place name is looked up among the zones of the machine; a path would be read as a file. */
const ZONE = /^[A-Z][A-Za-z_]{0,31}(?:\/[A-Z][A-Za-z_+-]{0,31}){0,2}$/

/** The first variable of a request that only a person can allow. */
export function unsafeVariable(env: Readonly<Record<string, string>> | undefined): string | null {
  const found = Object.entries(env ?? {}).find(([name, value]) => !SAFE_NAME.test(name) || !isSafe(name, value))
  return found ? found[0] || 'a variable without a name' : null
}

const isSafe = (name: string, value: string): boolean =>
  /^(LANG|LC_[A-Z]+)$/.test(name)
    ? value === '' || isPlainLocale(value)
    : SAFE_VALUE.test(value) || (name === 'TZ' && ZONE.test(value))

/** Whether text is read byte by byte or as UTF-8 there, as the gate reads it. */
export const isPlainLocale = (locale: string): boolean =>
  /^(?:C|POSIX|[A-Za-z_]{1,32}\.utf-?8(?:@\w{1,16})?)$/i.test(locale)
