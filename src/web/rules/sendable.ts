/** What a frame may carry: a field can hold a NUL or half of a character that was pasted into it. */
export const sendable = (text: string): string => text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')
