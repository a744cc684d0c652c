/** Ends as questions end, on a line that is not over. */
export const looksLikePrompt = (line: string): boolean =>
  line.length > 0 && line.length < 300 && /[?:>$#\])]$/.test(line)

/** Asks for something that is nobody else's business. */
export const asksForSecret = (line: string): boolean =>
  looksLikePrompt(line) &&
  /\b(password|passwort|passphrase|passcode|pass phrase|pin|otp|one-time code|verification code|secret|token|api[ -]?key|mot de passe|contraseña)\b/i.test(
    line,
  )
