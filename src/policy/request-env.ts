/** Variables a request may set without asking: they change how output looks, never what runs. */
const SAFE_NAME =
  /^(CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|COLORTERM|NODE_ENV)$/
const SAFE_VALUE = /^[A-Za-z0-9_.:@,+-]{0,64}$/

/** The first variable of a request that only a person can allow. */
export function unsafeVariable(env: Readonly<Record<string, string>> | undefined): string | null {
  const found = Object.entries(env ?? {}).find(([name, value]) => !SAFE_NAME.test(name) || !SAFE_VALUE.test(value))
  return found?.[0] ?? null
}
