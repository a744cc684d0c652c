/** A link in a terminal: where it really leads, and whether that is what the person reads. */
export interface LinkFacts {
  /** As a browser would be sent to it. */
  readonly href: string
  /** Of whom it is; a name of other letters in its plain form (xn--…). */
  readonly host: string
  /** What the person reads is the address, and nothing in it hides whose it is. */
  readonly isPlain: boolean
}

/** Null: no link to the web; nothing is opened. `text`: what is printed where the person clicks. */
export function linkFacts(uri: string, text: string): LinkFacts | null {
  if (uri.length > LONGEST || !/^https?:\/\//i.test(uri)) return null
  try {
    const { href, host, hostname, username, password } = new URL(uri)
    const isForeign = hostname.split('.').some(part => part.startsWith('xn--'))
    const hides = username !== '' || password !== '' || isForeign || !/^[\x21-\x7e]+$/.test(uri)
    return { href, host, isPlain: !hides && isSame(text, uri) }
  } catch {
    return null // no address at all
  }
}

const LONGEST = 4096

/** A row that ends in the middle of an address is broken by blanks. */
const isSame = (text: string, uri: string): boolean => text.replaceAll(/\s+/g, '') === uri
