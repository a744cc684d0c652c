import { showEditorTheme } from './preferences.ts'

/**
 * Light, dark or high contrast, as the editor says by classes of the body. Only that: the colours of a theme are of whoever made it,
 * and one that draws letters in the colour of the ground would hide what is approved.
 */
export function followEditorTheme(): void {
  const look = (): void => {
    const { classList } = document.body
    const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light')
    const isContrast = classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light')
    showEditorTheme(isLight ? 'light' : 'dark', isContrast ? 'more' : 'normal')
  }
  new MutationObserver(look).observe(document.body, { attributes: true, attributeFilter: ['class'] })
  look()
}
