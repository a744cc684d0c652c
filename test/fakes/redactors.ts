import { Redactor } from '../../src/runs/secrets/redactor.ts'

/** As it is where nobody has changed a setting; `own`: secrets of the product. */
export const usualRedactor = (own: readonly string[] = []): Redactor => new Redactor({ shapes: 'on', own: () => own })
