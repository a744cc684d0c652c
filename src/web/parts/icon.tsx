import type { IconNode } from 'lucide'
import { createElement } from 'preact'

/** A picture beside words. It says nothing that the words do not, so nobody has it read to them. */
export const Icon = ({ of, size = 16 }: { of: IconNode; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    class="shrink-0"
  >
    {of.map(([tag, attributes]) => createElement(tag as 'path', attributes as object))}
  </svg>
)
