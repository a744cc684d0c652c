/**
 * Requests to a terminal for an answer: where the cursor is, what it can do, its colours. In output that is shown again,
 * nobody waits for the answer any more, and it would be typed into whatever runs now.
 */
const QUERIES =
  /\x1b\[(?:[?>=]?[0-9;]*[cn]|[?]?[0-9;]*\$p|[0-9;]*x|>?[0-9;]*q|1[1-9]t|2[01]t|\?u)|\x1b\](?:4;[0-9]+|1[0-9]|5[0-9]*);\?[^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[+$]q[^\x1b]*\x1b\\|\x1bZ|\x05/g

export const withoutQueries = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(QUERIES, ''), 'latin1')

/**
 * Node leaves a terminal in a mode where a line feed also returns to the left, which no program behind it expects. An index
 * moves down and nothing else.
 */
export class LineFeeds {
  #afterReturn = false

  kept(bytes: Buffer): Buffer {
    let text = ''
    for (const char of bytes.toString('latin1')) {
      text += char === '\n' && !this.#afterReturn ? '\x1bD' : char
      this.#afterReturn = char === '\r'
    }
    return Buffer.from(text, 'latin1')
  }
}
