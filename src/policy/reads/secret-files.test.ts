import { expect, test } from 'vitest'
import { isSecretPath } from './secret-files.ts'

test.each([
  ...[
    'deploy_key',
    'ssh_host_rsa_key',
    'private-key',
    'keys/privatekey.txt',
    'sa-key.json',
    'api-keys.json',
    '.apikey',
  ],
  ...[
    '.irb_history',
    '.vault_pass',
    'vault_password.txt',
    'prod.tfvars.json',
    'terraform.tfstate.d/x',
    'userSecrets.json',
  ],
  ...[
    '.Renviron',
    '.kaggle/kaggle.json',
    '.m2/settings.xml',
    'pip.conf',
    'cookies.txt',
    'env.production',
    'server.der',
  ],
])('%s may hold secrets', path => {
  expect(isSecretPath(path)).toBe(true)
})

test.each([
  ...['src/api-keys/list.ts', 'src/keys.ts', 'hotkeys.json', 'monkey.json', 'docs/keys.md', 'src/auth/token.ts'],
  ...['gradle.properties', 'package.json', '.env.example', '.github/workflows/ci.yml', '.vscode/settings.json'],
])('%s does not', path => {
  expect(isSecretPath(path)).toBe(false)
})
