/**
 * xterm writes style elements, which our content policy refuses. What it writes goes into style sheets made by script
 * instead, which are no inline code. Only while `build` runs: nothing else of the page is touched.
 */
export function withAdoptedStyles<T>(build: () => T): T {
  const make = document.createElement
  document.createElement = ((tag: string, options?: ElementCreationOptions) =>
    tag === 'style' ? adoptedStyle(make.call(document, 'span')) : make.call(document, tag, options)) as typeof make
  try {
    return build()
  } finally {
    // The page's own method is that of every document; ours only lay over it.
    Reflect.deleteProperty(document, 'createElement')
  }
}

function adoptedStyle(stand: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  stand.hidden = true
  Object.defineProperty(stand, 'textContent', {
    set: (text: string) => sheet.replaceSync(text),
    get: () => '',
  })
  stand.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter(one => one !== sheet)
    Element.prototype.remove.call(stand)
  }
  return stand
}

/**
 * xterm colours a cell with a style attribute, which the policy refuses as well; through the element's own style it is allowed.
 * Only spans, because cells are spans.
 */
export function styleSpansByScript(): void {
  HTMLSpanElement.prototype.setAttribute = function (name: string, value: string): void {
    if (name === 'style') this.style.cssText = value
    else Element.prototype.setAttribute.call(this, name, value)
  }
}
