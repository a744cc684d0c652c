import type { Choice } from '../../approving/choices.ts'
import { Drawn } from '../parts/drawn.tsx'

/** A choice in words. Its rule is made of the agent's words, so it is drawn like them. */
export const Worded = ({ choice: { words } }: { choice: Choice }) => (
  <>
    {words.before}{' '}
    {words.rule !== null && (
      <code class="font-mono text-[13px]">
        <Drawn text={words.rule} />
      </code>
    )}{' '}
    {words.after}
  </>
)
