import type { ComponentChildren } from 'preact'

/** Settings that belong together, under their name. */
export function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <fieldset class="space-y-3">
      <legend class="label mb-2">{title}</legend>
      {children}
    </fieldset>
  )
}
