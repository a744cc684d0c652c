import * as z from 'zod'

/** Older writers say `id`, and some write a status as `Approved`. */
export const lenient = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(frame => {
    if (typeof frame !== 'object' || frame === null) return frame
    const given = frame as Record<string, unknown>
    const request_id = given.request_id ?? given.id
    const status = typeof given.status === 'string' ? given.status.toLowerCase() : given.status
    return { ...given, ...(request_id !== undefined && { request_id }), ...(status !== undefined && { status }) }
  }, schema)
