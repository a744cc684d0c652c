/** Ends as questions end, on a line that is not over. */
export const looksLikePrompt = (line: string): boolean =>
  line.length > 0 && line.length < 300 && /[?:>$#\])]$/.test(line)

/**
 * A question, and behind it at most what is taken without an answer: `version: (1.0.0)`, `Go on? [y/N]`. Not how far something is:
 * `files: (3/10)`, `done: [### ]`, `loaded: (45%)`.
 */
export const asksSomething = (line: string): boolean =>
  line.length < 300 && /\S ?[?:](?: ?[([](?!\d+ ?\/)[\w./@ -]*(?:\/[A-Za-z]+)?[)\]])?$/.test(line)

/** Asks for something that is nobody else's business. */
export const asksForSecret = (line: string): boolean =>
  looksLikePrompt(line) &&
  /\b(password|passwort|passphrase|passcode|pass phrase|pin|otp|one-time code|verification code|secret|token|api[ -]?key|mot de passe|contraseña)\b/i.test(
    line,
  )
