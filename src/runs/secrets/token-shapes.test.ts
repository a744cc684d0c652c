import { expect, test } from 'vitest'
import { body, githubToken, hex, joined, upper } from '../../../test/fakes/made-up-tokens.ts'
import { usualRedactor } from '../../../test/fakes/redactors.ts'
import { TOKEN_SHAPES } from './token-shapes.ts'

const redacted = (text: string): string => usualRedactor().begin().text(text)

/** What it is, one that is taken out, and what looks like it and is not. */
const ROWS: readonly (readonly [what: string, token: string, nearMiss: string])[] = [
  ['GitHub token', githubToken(), joined('gh', 'p_', body(35), '-', body(20))],
  ['GitHub token', joined('github', '_pat_', body(22), '_', body(59)), 'github_pat_scope_readonly'],
  ['GitLab token', joined('gl', 'pat-', body(20)), 'glpat-is-the-prefix'],
  ['npm token', joined('npm', '_', body(36)), joined('npm', '_', 'config_registry_and_more_of_the_name')],
  ['PyPI token', joined('pypi-', 'AgEI', body(60)), 'pypi-AgEI-short'],
  ['RubyGems token', joined('rubygems', '_', hex(48)), joined('rubygems', '_', hex(47), 'g')],
  ['Docker token', joined('dckr', '_pat_', body(27)), 'dckr_pat_and_then'],
  ['Slack token', joined('xox', 'b-', '123456789012-', body(24)), 'xoxb-not-a-token'],
  [
    'Slack webhook',
    joined('hooks.slack', '.com/services/T', upper(9), '/B', upper(9), '/', body(24)),
    'hooks.slack.com/services/x/y',
  ],
  ['Stripe key', joined('sk', '_live_', body(24)), 'sk_live_key'],
  ['Stripe webhook secret', joined('wh', 'sec_', body(32)), 'whsec_short'],
  ['Anthropic key', joined('sk', '-ant-api03-', body(40)), 'sk-ant-colony'],
  ['OpenAI key', joined('sk', '-proj-', body(48)), 'sk-proj-name'],
  ['OpenAI key', joined('sk', '-', body(48)), joined('sk', '-', body(20))],
  ['OpenRouter key', joined('sk', '-or-v1-', hex(64)), 'sk-or-v1-none'],
  ['Groq key', joined('gs', 'k_', body(52)), joined('gs', 'k_', body(20))],
  ['xAI key', joined('xa', 'i-', body(80)), joined('xa', 'i-', body(20))],
  ['Hugging Face token', joined('h', 'f_', body(34)), 'hf_transfer_enabled'],
  ['AWS access key', joined('AK', 'IA', upper(16)), joined('AK', 'IA', upper(15))],
  ['AWS secret key', joined('aws_secret_access_key = ', body(40)), joined('aws_secret_access_key = ', body(39))],
  ['AWS session token', joined('AWS_SESSION_TOKEN=', body(120)), 'AWS_SESSION_TOKEN=none'],
  ['Google API key', joined('AI', 'za', body(35)), joined('AI', 'za', body(36))],
  ['Google access token', joined('ya', '29.', body(60)), 'ya29.x'],
  ['Google client secret', joined('GOC', 'SPX-', body(28)), 'GOCSPX-nothing'],
  ['Azure storage key', joined('AccountKey=', body(86), '=='), joined('AccountKey=', body(86))],
  ['Azure client secret', joined('abc', '8Q', '~', body(34)), joined('abc', '8Q', '~', body(10))],
  ['Azure shared access signature', joined('?sv=2024&', 'sig=', body(43), '%3D'), '?sv=2024&sig=abc'],
  ['DigitalOcean token', joined('do', 'p_v1_', hex(64)), joined('do', 'p_v1_', hex(63))],
  ['SendGrid key', joined('S', 'G.', body(22), '.', body(43)), joined('S', 'G.', body(21), '.', body(43))],
  ['Telegram bot token', joined('123456789:', 'AA', body(33)), joined('123456789:', 'AA', body(32))],
  ['Shopify token', joined('sh', 'pat_', hex(32)), joined('sh', 'pat_', hex(31))],
  ['Databricks token', joined('da', 'pi', hex(32)), joined('da', 'pi', hex(31))],
  ['Vault token', joined('hv', 's.', body(24)), joined('hv', 's.', body(23))],
  ['Linear key', joined('lin', '_api_', body(40)), 'lin_api_key'],
  ['Sentry token', joined('sn', 'trys_', body(60)), 'sntrys_x'],
  ['Atlassian token', joined('AT', 'ATT3', body(80)), 'ATATT3x'],
  ['age key', joined('AGE-SECRET', '-KEY-1', upper(58)), joined('AGE-SECRET', '-KEY-1', upper(57))],
  [
    'JSON Web Token',
    joined('ey', 'J', body(20), '.ey', 'J', body(30), '.', body(43)),
    joined('ey', 'J', body(20), '.', body(30)),
  ],
  ['authorization header', joined('Authorization: Bearer ', body(20)), 'Authorization: Bearer YOUR_TOKEN_GOES_HERE'],
  ['key in a header', joined('x-api-key: ', body(32)), 'x-api-key: YOUR_API_KEY_GOES_HERE'],
  [
    'npm password',
    joined('//r.example/:_authToken=', body(36)),
    joined('//r.example/:_authToken=', '${', 'NPM_TOKEN}'),
  ],
  [
    'password in a URL',
    'https://me:pa55word@git.example/x',
    'https://me:$PASSWORD@git.example/x and http://host:80/@scope/name',
  ],
]

const shown = (what: string) => `[redacted: ${what}]`

test.each(ROWS)('a %s is taken out, and what only looks like one stays', (what, token, nearMiss) => {
  for (const [before, after] of [
    ['', ''],
    ['x=', '\n'],
    ['"', '"'],
    ['é ', ' é'],
    ['(', ')'],
  ])
    expect(redacted(`${before}${token}${after}`)).toContain(shown(what))
  // Whatever comes behind it: at the very end of a text a beginning is taken for one.
  expect(redacted(`say ${nearMiss} more\n`)).toBe(`say ${nearMiss} more\n`)
})

test('every shape has its row here', () => {
  expect([...new Set(ROWS.map(([what]) => what))].sort()).toEqual(
    [...new Set(TOKEN_SHAPES.map(({ what }) => what))].sort(),
  )
  expect(ROWS.length).toBe(TOKEN_SHAPES.length)
})

test('of what follows a name only the value is taken out', () => {
  expect(redacted(`curl -H 'Authorization: Bearer ${body(20)}' x`)).toBe(
    `curl -H 'Authorization: Bearer ${shown('authorization header')}' x`,
  )
  expect(redacted('git clone https://me:pa55word@git.example/x.git')).toBe(
    `git clone https://me:${shown('password in a URL')}@git.example/x.git`,
  )
})

test.each([
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8\nsha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==\n',
  'npm_config_user_agent=npm/10 npm_lifecycle_event=test npm_package_name=x\n',
  'postgres://db:5432/shop http://localhost:3000/a@b user@host:path https://u@h/x\n',
  'uuid 3fa85f64-5717-4562-b3fc-2c963f66afa6 sk-learn task-12345678 risk-assessment\n',
  'import { authorization } from "x"; Authorization: required; session_token: string\n',
])('ordinary output stays as it is: %#', text => {
  expect(redacted(text)).toBe(text)
})

test('a token that is not printed whole yet is taken out as far as it is there', () => {
  expect(redacted(`token ${githubToken().slice(0, 20)}`)).toBe(`token ${shown('GitHub token')}`)
  expect(redacted('see ghp_')).toBe('see ghp_')
})

/** What a pattern is slow on, if it is slow at all: much of its beginning, its classes, and no end. */
const hard = TOKEN_SHAPES.flatMap(({ what, hints }) =>
  hints
    .flatMap(hint => [`${hint}`, `${hint}a`, `${hint}1:`, `a${hint}`, `${hint}.eyJ`, `${hint} `, `="${hint}`])
    .map(part => [what, part] as const),
)

test('the worst that can be printed is looked through once: no pattern goes back over it', () => {
  const began = performance.now()
  for (const [, part] of hard) usualRedactor().find(part.repeat(Math.ceil(20_000 / part.length)))
  // 20 KB each: a pattern that goes back over what it has read takes minutes for one of them.
  const perMegabyte = ((performance.now() - began) / hard.length) * 50
  expect(perMegabyte).toBeLessThan(1000)
  const one = 'eyJa'.repeat(50_000)
  const start = performance.now()
  usualRedactor().find(`${one}.${one}`)
  usualRedactor().find('-----BEGIN PRIVATE KEY-----\n'.repeat(8_000))
  usualRedactor().find('-----END PRIVATE KEY-----\n'.repeat(8_000))
  usualRedactor().find(`${'A'.repeat(70)}\n`.repeat(3_000))
  expect(performance.now() - start).toBeLessThan(3000)
})
