import { buildTestProduct } from '../scripts/test-product.mjs'

/** Tests that start real processes start the built product, so it is built before the first of them. */
export default async function setup(): Promise<void> {
  await buildTestProduct()
}
