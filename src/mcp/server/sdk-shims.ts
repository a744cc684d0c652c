import process from 'node:process'

/** Replaces the SDK's own shim in the bundle (see scripts/build.mjs): no JSON schema compiler at every start. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this server asks clients for no structured input, so it validates none')
  }
}

export { process }
