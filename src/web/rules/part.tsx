import type { ComponentChildren } from 'preact'

/** One part of the page of rules, with its heading. */
export function Part({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2 class="mb-1 text-[15px] font-semibold">{title}</h2>
      {note && <p class="mb-2 text-[13px] text-soft">{note}</p>}
      {children}
    </section>
  )
}
