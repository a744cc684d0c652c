import * as z from 'zod'
import { Id } from '../field.ts'
import { ErrorBody } from '../tool/response.ts'

/** Which request a frame of a host's wire is about. */
export const addressed = { id: Id.optional(), request_id: Id, trace_id: Id }

/** How a question that is no command ended. */
export const answered = {
  status: z.enum(['approved', 'declined', 'timeout', 'error']),
  reason: z.string().nullable(),
  error: ErrorBody.nullable(),
}
