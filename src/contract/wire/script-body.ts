import * as z from 'zod'

/** What a word of the line stands for, as read when the question was asked. The plan hash covers it; for another one the person is asked again. */
export const ScriptBody = z.object({
  /** `bash x.sh` and a program that is itself a script · `npm run x` · `make x`. */
  kind: z.enum(['script', 'package_script', 'make_target']),
  /** "./deploy.sh", "build", "install". */
  name: z.string(),
  path: z.string(),
  text: z.string(),
  /** Of `text`, when it is too long to be shown. */
  omitted_bytes: z.int(),
  hash: z.string(),
})
export type ScriptBody = z.infer<typeof ScriptBody>
