/**
 * What is printed, on a window's WebSocket: one binary message each.
 *
 *   byte 0      1, the kind
 *   bytes 1–4   stream, as `watching` named it, big-endian
 *   bytes 5–12  offset of the first byte in the run's output, big-endian
 *   from 13     the bytes
 */
export interface OutputPiece {
  readonly stream: number
  readonly offset: number
  readonly bytes: Uint8Array
}

export const OUTPUT_HEADER_BYTES = 13
const OUTPUT = 1

export function outputMessage({ stream, offset, bytes }: OutputPiece): Uint8Array {
  const message = new Uint8Array(OUTPUT_HEADER_BYTES + bytes.length)
  const view = new DataView(message.buffer)
  view.setUint8(0, OUTPUT)
  view.setUint32(1, stream)
  view.setBigUint64(5, BigInt(offset))
  message.set(bytes, OUTPUT_HEADER_BYTES)
  return message
}

/** Null for a message of another kind. */
export function readOutput(message: ArrayBuffer): OutputPiece | null {
  if (message.byteLength < OUTPUT_HEADER_BYTES) return null
  const view = new DataView(message)
  if (view.getUint8(0) !== OUTPUT) return null
  return {
    stream: view.getUint32(1),
    offset: Number(view.getBigUint64(5)),
    bytes: new Uint8Array(message, OUTPUT_HEADER_BYTES),
  }
}
