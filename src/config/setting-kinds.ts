/** What a setting may say. By hand, without a schema library: a client waits while the settings are read. */
export interface Kind<T> {
  readonly read: (value: unknown) => { readonly value: T } | { readonly problem: string }
}
export type ValueOf<K> = K extends Kind<infer T> ? T : never

const YES = ['1', 'true', 'yes', 'on']
const NO = ['0', 'false', 'no', 'off', '']

export const flag: Kind<boolean> = {
  read(value) {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : String(value)
    if (YES.includes(word)) return { value: true }
    return NO.includes(word) ? { value: false } : { problem: 'must be 1/true/yes/on or 0/false/no/off' }
  },
}

export const whole = (lowest: number, highest: number): Kind<number> => ({
  read(value) {
    // Digits only: an empty variable is a mistake, not a zero.
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value
    if (!Number.isSafeInteger(number)) return { problem: `must be a whole number from ${lowest} to ${highest}` }
    if ((number as number) < lowest) return { problem: `must be at least ${lowest}` }
    return (number as number) > highest ? { problem: `must be at most ${highest}` } : { value: number as number }
  },
})

export const oneOf = <const Choice extends string>(choices: readonly Choice[]): Kind<Choice> => ({
  read(value) {
    const choice = choices.find(each => each === value)
    if (choice !== undefined) return { value: choice }
    return { problem: `must be one of ${choices.map(each => `"${each}"`).join(', ')}` }
  },
})

export const text: Kind<string> = {
  read: value => (typeof value === 'string' ? { value } : { problem: 'must be a text' }),
}

export const textLike = (pattern: RegExp, problem: string): Kind<string> => ({
  read: value => (typeof value === 'string' && pattern.test(value) ? { value } : { problem }),
})
