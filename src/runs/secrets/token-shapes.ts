/** What a known kind of token looks like. One row a kind; token-shapes.test.ts has an example and a near miss for each. */
export interface TokenShape {
  readonly what: string
  /** One of these is in every such token or beside it, in whatever letter case: a quick look before the pattern. */
  readonly hints: readonly string[]
  /** A token begins with its hint: the pattern is tried there only. */
  readonly atHint?: true
  /** What the group `keep` has found stays. */
  readonly pattern: RegExp
  /** The same where the text ends in the middle of one: the rest may come with the next page, or has not been printed yet. */
  readonly open?: RegExp
}

const WORD = String.raw`A-Za-z0-9_\-`
/** Fewer characters of a token are no use to anybody. */
const OPEN_LEAST = 8

/**
 * A prefix of its own and then characters of one class. It begins where nothing of that class is before it, so a long run of such
 * characters is looked at once, whatever is in it.
 */
function prefixed(
  what: string,
  prefixes: readonly string[],
  { chars = WORD, least, most }: { readonly chars?: string; readonly least: number; readonly most?: number },
): TokenShape {
  const begins = `(?<![${WORD}])(?:${prefixes.map(quoted).join('|')})`
  const end = most === undefined ? '' : `(?![${chars}])`
  return {
    what,
    hints: prefixes,
    atHint: true,
    pattern: new RegExp(`${begins}[${chars}]{${least},${most ?? ''}}${end}`, 'y'),
    open: new RegExp(`${begins}[${chars}]{${OPEN_LEAST},}$`, 'y'),
  }
}

const quoted = (text: string): string => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&')
const exactly = (length: number, chars = WORD) => ({ chars, least: length, most: length })

const ALNUM = 'A-Za-z0-9'
const HEX = 'a-f0-9'

/** What follows a name that says what it is: only the value is taken out. It has a digit, as no placeholder has. */
const named = (what: string, hints: readonly string[], before: string, value: string): TokenShape => ({
  what,
  hints,
  pattern: new RegExp(`(?<keep>${before})(?=[^\\s"'\\d]{0,300}\\d)${value}`, 'gi'),
})

export const TOKEN_SHAPES: readonly TokenShape[] = [
  prefixed('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], { chars: ALNUM, least: 36 }),
  prefixed('GitHub token', ['github_pat_'], { chars: `${ALNUM}_`, least: 40 }),
  prefixed('GitLab token', ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glagent-'], {
    least: 20,
  }),
  prefixed('npm token', ['npm_'], exactly(36, ALNUM)),
  prefixed('PyPI token', ['pypi-AgEI'], { least: 50 }),
  prefixed('RubyGems token', ['rubygems_'], exactly(48, HEX)),
  prefixed('Docker token', ['dckr_pat_', 'dckr_oat_'], { least: 27 }),
  prefixed('Slack token', ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxo-', 'xapp-'], {
    chars: `${ALNUM}-`,
    least: 20,
  }),
  {
    what: 'Slack webhook',
    hints: ['hooks.slack.com/'],
    pattern: /(?<keep>hooks\.slack\.com\/(?:services|workflows|triggers)\/)T?[A-Za-z0-9]{8,20}\/[A-Za-z0-9/]{16,80}/g,
  },
  prefixed('Stripe key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], { chars: ALNUM, least: 16 }),
  prefixed('Stripe webhook secret', ['whsec_'], { chars: `${ALNUM}+/=`, least: 32 }),
  prefixed('Anthropic key', ['sk-ant-'], { least: 24 }),
  prefixed('OpenAI key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], { least: 32 }),
  prefixed('OpenAI key', ['sk-'], exactly(48, ALNUM)),
  prefixed('OpenRouter key', ['sk-or-v1-'], exactly(64, HEX)),
  prefixed('Groq key', ['gsk_'], exactly(52, ALNUM)),
  prefixed('xAI key', ['xai-'], exactly(80, ALNUM)),
  prefixed('Hugging Face token', ['hf_'], { chars: ALNUM, least: 34, most: 40 }),
  prefixed('AWS access key', ['AKIA', 'ASIA'], exactly(16, 'A-Z0-9')),
  named(
    'AWS secret key',
    ['secretaccesskey', 'secret_access_key', 'secret access key'],
    `secret[_ ]?access[_ ]?key["']?[ \\t]{0,4}[=:]?[ \\t]{0,4}["']?`,
    '[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
  ),
  named(
    'AWS session token',
    ['sessiontoken', 'session_token'],
    `aws_session_token["']?[ \\t]{0,4}[=:][ \\t]{0,4}["']?|"SessionToken"[ \\t]{0,4}:[ \\t]{0,4}"`,
    '[A-Za-z0-9/+=]{100,4000}',
  ),
  prefixed('Google API key', ['AIza'], exactly(35)),
  prefixed('Google access token', ['ya29.'], { chars: `${WORD}.`, least: 30 }),
  prefixed('Google client secret', ['GOCSPX-'], exactly(28)),
  named('Azure storage key', ['accountkey='], 'AccountKey=', '[A-Za-z0-9+/]{86}=='),
  {
    what: 'Azure client secret',
    hints: [...'0123456789'].map(digit => `${digit}Q~`),
    pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g,
  },
  named('Azure shared access signature', ['sig='], '[?&;]sig=', '[A-Za-z0-9%+/]{40,120}(?:=|%3D){0,2}'),
  prefixed('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], exactly(64, HEX)),
  {
    what: 'SendGrid key',
    hints: ['SG.'],
    atHint: true,
    pattern: /(?<![A-Za-z0-9_.-])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/y,
    open: /(?<![A-Za-z0-9_.-])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{0,42}$/y,
  },
  {
    what: 'Telegram bot token',
    hints: [':AA'],
    pattern: /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g,
  },
  prefixed('Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], exactly(32, 'A-Fa-f0-9')),
  prefixed('Databricks token', ['dapi'], { chars: `${HEX}-`, least: 32, most: 36 }),
  prefixed('Vault token', ['hvs.', 'hvb.', 'hvr.'], { least: 24 }),
  prefixed('Linear key', ['lin_api_', 'lin_oauth_'], { chars: ALNUM, least: 32 }),
  prefixed('Sentry token', ['sntrys_', 'sntryu_'], { chars: `${ALNUM}_=+/`, least: 40 }),
  prefixed('Atlassian token', ['ATATT3', 'ATCTT3'], { chars: `${WORD}=`, least: 60 }),
  prefixed('age key', ['AGE-SECRET-KEY-1'], exactly(58, 'A-Z0-9')),
  {
    what: 'JSON Web Token',
    hints: ['eyJ'],
    atHint: true,
    pattern: /(?<![\w.-])eyJ[\w-]{10,8000}\.eyJ[\w-]{10,8000}\.[\w-]{0,2000}/y,
    open: /(?<![\w.-])eyJ[\w-]{20,8000}(?:\.[\w-]{0,8000})?$/y,
  },
  named(
    'authorization header',
    ['authorization'],
    `authorization["']?[ \\t]{0,3}[:=][ \\t]{0,3}["']?(?:bearer|basic|token|apikey|bot)[ \\t]{1,3}`,
    '[A-Za-z0-9._~+/=-]{12,4000}',
  ),
  named(
    'key in a header',
    ['x-api-key', 'private-token', 'x-auth-token', 'x-goog-api-key'],
    `(?:x-api-key|private-token|x-auth-token|x-goog-api-key)["']?[ \\t]{0,3}:[ \\t]{0,3}["']?`,
    '[A-Za-z0-9._~+/=-]{16,1000}',
  ),
  named(
    'npm password',
    [':_authtoken=', ':_password=', '_auth='],
    '(?::_authToken|:_password|^_auth|\\s_auth)[ \\t]{0,2}=[ \\t]{0,2}"?',
    '[A-Za-z0-9._~+/=-]{12,1000}',
  ),
  {
    what: 'password in a URL',
    hints: ['://'],
    // Not a variable, a row of stars or dots, or what was taken out already.
    pattern: /(?<keep>:\/\/[^\s/:@"'`<>[\]]{0,100}:)(?![$*•.{<%[]|x+@)[^\s/@"'`<>]{1,200}(?=@[A-Za-z0-9[])/g,
  },
]
