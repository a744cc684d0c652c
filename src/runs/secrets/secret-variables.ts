import type { Redactor } from './redactor.ts'

/** Names under which tokens are kept. */
const SECRET_NAME =
  /(?:^|_)(?:TOKENS?|SECRETS?|PASS(?:WORD|WD|PHRASE|CODE)?|PWD|CREDENTIALS?|API_?KEYS?|ACCESS_?KEY|SECRET_?KEY|PAT|JWT|OTP|COOKIE|BEARER|DSN)(?:_|$)|_KEY$|(?:TOKEN|SECRET|PASSWORD|APIKEY)$/i

/** A place or a public half of something; what the network needs; and names of the system that only look like one. */
const HARMLESS_NAME =
  /_(?:FILE|PATH|DIR|HOME|SOCK|URL|ENDPOINT|HOST|PORT|EXPIR\w*|TTL|TYPE|NAME|REGION)$|PUBLIC|_PROXY$|^(?:SSH_AUTH_SOCK|GPG_KEY|GPG_TTY|XAUTHORITY|SSH_ASKPASS_REQUIRE|OLDPWD|PWD|COMPOSE_PATH_SEPARATOR|LESSKEY\w*)$/i

/** Whether a variable looks like a token: by its name, or because its value has the shape of one. */
export function isSecretVariable(name: string, value: string, shapes: Pick<Redactor, 'find'>): boolean {
  if (value === '' || /_PROXY$/i.test(name)) return false
  return (SECRET_NAME.test(name) && !HARMLESS_NAME.test(name)) || shapes.find(value).length > 0
}
