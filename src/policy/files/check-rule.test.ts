import { expect, test } from 'vitest'
import { checkRule } from './check-rule.ts'

const REFUSED = [
  '*',
  '',
  'ls | wc',
  'ls $HOME',
  'python *',
  'node *',
  'bash *',
  'sh -c *',
  'sudo *',
  'env *',
  'xargs *',
  'rm *',
  'rm -rf build',
  'rm -rf /',
  'git push --force',
  'sudo rm -rf /',
  'eval *',
  'npx *',
  'timeout *',
  'tee *',
  'dd *',
  'vim *',
  'ssh host *',
  'docker run *',
  'interactive-terminal policy add x',
  'perl *',
  'find . -delete',
  'shutdown',
]
const CONFIRMED = [
  'git *',
  'npm *',
  'docker *',
  'kubectl *',
  'sort -o *',
  'find . -exec *',
  'mytool *',
  'timeout 60 npm test',
  'bash run.sh',
  'git -c x=y log',
  'python script.py',
  'timeout 60 npm test *',
]
const FINE = [
  'git log *',
  'git status',
  'ls *',
  'npm test',
  'npm install *',
  'npm run build',
  'npm run *',
  'rg *',
  'cargo test *',
  'npx vitest *',
  'docker ps *',
  'mytool build *',
  './run.sh',
  'find *',
  'sed -n *',
  'make test',
  'echo *',
  'python -m pytest *',
]

test.each([
  ['refuse', REFUSED],
  ['confirm', CONFIRMED],
  ['fine', FINE],
] as const)('%s', (advice, patterns) => {
  expect(
    patterns.filter(pattern => checkRule(pattern).advice !== advice).map(pattern => [pattern, checkRule(pattern)]),
  ).toEqual([])
})
