import type { Key } from './keys.ts'

/** A line of text a person is typing. The caret counts characters, not code units. */
export interface Field {
  readonly text: string
  readonly caret: number
}

export const fieldWith = (text: string): Field => ({ text, caret: [...text].length })

const LONGEST_FIELD = 64 * 1024

/** The field after a key; the same field when the key means nothing to it. */
export function typedInto(field: Field, key: Key): Field {
  const chars = [...field.text]
  const { caret } = field
  const put = (text: string): Field => {
    const added = [...text]
    const joined = [...chars.slice(0, caret), ...added, ...chars.slice(caret)].join('')
    return joined.length > LONGEST_FIELD ? field : { text: joined, caret: caret + added.length }
  }

  if (key.kind === 'char') return put(key.char)
  if (key.kind === 'paste') return put(key.text.replace(/\r\n?/g, '\n'))
  const without = (from: number): Field =>
    from < 0 || from >= chars.length ? field : { text: chars.toSpliced(from, 1).join(''), caret: from }

  switch (key.name) {
    case 'backspace':
      return without(caret - 1)
    case 'delete':
      return without(caret)
    case 'left':
      return { ...field, caret: Math.max(0, caret - 1) }
    case 'right':
      return { ...field, caret: Math.min(chars.length, caret + 1) }
    case 'home':
      return { ...field, caret: 0 }
    case 'end':
      return { ...field, caret: chars.length }
    case 'clear_line':
      return { text: '', caret: 0 }
    case 'enter':
    case 'escape':
    case 'up':
    case 'down':
    case 'page_up':
    case 'page_down':
    case 'tab':
    case 'quit':
      return field
  }
}
