import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const LIST = 'files.json'
const HTML = 'panel.html'

/**
 * The page as the build made it: every file is held to the hash in the list that was built with it. Throws when one is another, or
 * gone: half of a page is none.
 */
export function readPage(directory: string): string {
  const list = JSON.parse(readFileSync(join(directory, LIST), 'utf8')) as Readonly<Record<string, string>>
  for (const [path, hash] of Object.entries(list))
    if (
      createHash('sha256')
        .update(readFileSync(join(directory, path)))
        .digest('hex') !== hash
    )
      throw new Error(`${join(directory, path)} is not what was built. Install the extension again.`)
  if (!(HTML in list)) throw new Error(`${HTML} is missing. Install the extension again.`)
  return readFileSync(join(directory, HTML), 'utf8')
}

/**
 * The page with addresses the webview can load, and its content policy: scripts and styles of this folder and nothing else, no inline
 * code, no network, no frames, no text made into markup. `root`: the address of the folder, without a slash at its end; the name of its
 * machine is in it in a form that no policy can name, so `source` is what the editor says: from there it hands out this folder only.
 */
export function panelHtml(page: string, { root, source }: { readonly root: string; readonly source: string }): string {
  const own = `${root}/assets/`
  const policy = [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`
  return page.replace('<head>', `<head>\n    ${meta}`).replaceAll(/(src|href)="\.\/assets\//g, `$1="${own}`)
}
