import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, sep } from 'node:path'

export interface ProductCommand {
  readonly program: string
  /** What comes before a command's own words: for a script, the script. */
  readonly args: readonly string[]
  /** What it needs of its surroundings beyond those of the editor. */
  readonly env: Readonly<Record<string, string>>
  readonly from: 'setting' | 'installed' | 'bundled'
}

export interface ProductLook {
  /** The setting `interactive-terminal.program`: the person's own, never a workspace's. Empty: none. */
  readonly program: string
  /** The setting `interactive-terminal.home`; empty: where the product keeps its files by itself. */
  readonly home: string
  readonly path: string
  /** Directories that an agent writes to: nothing in them is started. */
  readonly workspaces: readonly string[]
  readonly bundled: string
  /** The Node of the editor; inside a desktop editor it is Electron, which has to be told. */
  readonly node: string
  readonly platform: NodeJS.Platform
}

const NAME = 'interactive-terminal'

/** The program the person set, else the one on PATH, else the one that came with the extension. */
export function findProduct(look: ProductLook): ProductCommand {
  const env: Record<string, string> = look.home === '' ? {} : { PM_TERM_HOME: look.home }
  if (look.program !== '') {
    if (!isAbsolute(look.program)) throw new Error(`interactive-terminal.program must be an absolute path.`)
    if (!isFile(look.program)) throw new Error(`interactive-terminal.program: ${look.program} is not there.`)
    return started(look, look.program, 'setting', env)
  }
  const installed = onPath(look)
  if (installed !== null) return started(look, installed, 'installed', env)
  return started(look, look.bundled, 'bundled', env)
}

function started(
  { node }: ProductLook,
  program: string,
  from: ProductCommand['from'],
  env: Record<string, string>,
): ProductCommand {
  if (!/\.c?js$/.test(program)) return { program, args: [], env, from }
  return { program: node, args: [program], env: { ...env, ELECTRON_RUN_AS_NODE: '1' }, from }
}

/** As the server looks for a host: never in the project, nor where others can write. */
function onPath({ path, platform, workspaces }: ProductLook): string | null {
  const roots = workspaces.map(each => realOrNull(each) ?? each)
  for (const directory of path.split(delimiter)) {
    const file = join(directory, platform === 'win32' ? `${NAME}.exe` : NAME)
    if (!isAbsolute(directory) || !isFile(file) || !canRun(file)) continue
    const real = [realOrNull(directory) ?? directory, realOrNull(file) ?? file]
    if (real.some(each => each.split(sep).join('/').includes('/node_modules/.bin'))) continue
    if (real.some(each => roots.some(root => each === root || each.startsWith(root + sep)))) continue
    if (platform !== 'win32' && (statSync(directory).mode & 0o022) !== 0) continue
    return file
  }
  return null
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
