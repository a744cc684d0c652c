import { createHash, randomBytes } from 'node:crypto'
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
 * The page with addresses the webview can load, and its content policy: the scripts and styles of this page by a word made for it alone,
 * which those they load inherit; no inline code, no network, no frames, no text made into markup. `root`: the address of the folder, without
 * a slash at its end. No policy names it: in a remote window the name of the machine is in it, in a form that none can.
 */
export function panelHtml(page: string, { root, nonce }: { readonly root: string; readonly nonce: string }): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const head = `<head>
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta property="csp-nonce" nonce="${nonce}" />`
  return page
    .replace('<head>', head)
    .replaceAll(/<(script|link) /g, `<$1 nonce="${nonce}" `)
    .replaceAll(/(src|href)="\.\/assets\//g, `$1="${root}/assets/`)
}

export const freshNonce = (): string => randomBytes(18).toString('base64url')
