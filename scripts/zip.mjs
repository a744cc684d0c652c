// A zip file, as small as it has to be: deflated files, their modes, no dates. The same files make the same bytes.
import { crc32, deflateRawSync } from 'node:zlib'

/** @type {(files: readonly { path: string, bytes: Buffer, mode?: number }[]) => Buffer} */
export function zip(files) {
  const bodies = []
  const entries = []
  let offset = 0
  for (const { path, bytes, mode = 0o644 } of files) {
    const name = Buffer.from(path)
    const body = deflateRawSync(bytes, { level: 9 })
    const facts = Buffer.alloc(26)
    // Needs 2.0, names are UTF-8, deflated, the first day that the format knows.
    ;[20, 0x0800, 8, 0, 0x21].forEach((value, i) => {
      facts.writeUInt16LE(value, i * 2)
    })
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(body.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name])
    const end = Buffer.alloc(14)
    // Regular file, with this mode, as made on Unix.
    end.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6)
    end.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), facts, end, name]))
    bodies.push(local, body)
    offset += local.length + body.length
  }
  const directory = Buffer.concat(entries)
  const last = Buffer.alloc(22)
  last.write('PK\x05\x06', 'latin1')
  last.writeUInt16LE(files.length, 8)
  last.writeUInt16LE(files.length, 10)
  last.writeUInt32LE(directory.length, 12)
  last.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, directory, last])
}
