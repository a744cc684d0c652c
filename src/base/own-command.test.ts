import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isShortLived, ownCommand } from './own-command.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'it-own-')))
afterAll(() => rmSync(root, { recursive: true }))

const file = (path: string): string => {
  const at = join(root, path)
  mkdirSync(join(at, '..'), { recursive: true })
  writeFileSync(at, '')
  chmodSync(at, 0o755)
  return at
}
const script = file('product/dist/interactive-terminal.cjs')
const spaced = file('my product/dist/interactive-terminal.cjs')
const node = file('node/bin/node')
const nodes = join(root, 'node/bin')
const linked = join(root, 'linked')
mkdirSync(linked)
symlinkSync(script, join(linked, 'interactive-terminal'))
const binned = join(root, 'cache/_npx/0a1b2c3d/node_modules/.bin')
mkdirSync(binned, { recursive: true })
symlinkSync(
  file('cache/_npx/0a1b2c3d/node_modules/us/dist/interactive-terminal.cjs'),
  join(binned, 'interactive-terminal'),
)

test('what npx unpacked for one call is known as that, also through a link', () => {
  expect([script, join(binned, 'interactive-terminal'), '/nowhere'].map(isShortLived)).toEqual([false, true, false])
})

test.each([
  ['from a checkout', { script, node, path: nodes }, `node ${script}`],
  ['from a path with blanks', { script: spaced, node, path: nodes }, `node "${spaced}"`],
  ['when this Node is not the one on the PATH', { script, node, path: '/nowhere' }, `${node} ${script}`],
  ['when PATH has us under our name', { script, node, path: `${nodes}:${linked}` }, 'interactive-terminal'],
  ['by our name', { script: join(linked, 'interactive-terminal'), node, path: linked }, 'interactive-terminal'],
  ['when PATH has another of us', { script: spaced, node, path: `${nodes}:${linked}` }, `node "${spaced}"`],
  ['by something else', { script: '/x/vitest.mjs', node, path: nodes }, 'interactive-terminal'],
  ['by nothing', { script: undefined, node, path: nodes }, 'interactive-terminal'],
  [
    'by npx or npm run',
    { script: join(binned, 'interactive-terminal'), node, path: `${binned}:${nodes}` },
    `node ${join(binned, 'interactive-terminal')}`,
  ],
])('started %s, we are typed as what starts us again', (_, start, typed) => {
  expect(ownCommand(start)).toBe(typed)
})
