export const bytesFrom = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), character => character.charCodeAt(0))
