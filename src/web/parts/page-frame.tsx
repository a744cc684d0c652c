import type { ComponentChildren } from 'preact'

/** A page beside questions and terminals: its title, what can be done on it, and its body, which alone scrolls. */
export function PageFrame(props: {
  readonly name: string
  readonly title: string
  /** Beside the title: a search field, buttons. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="flex h-full min-h-0 flex-col" aria-labelledby={`page-${props.name}`} data-page={props.name}>
      <header class="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-6 py-3 phone:px-4">
        <h1 id={`page-${props.name}`} class="text-[17px] font-semibold">
          {props.title}
        </h1>
        {props.tools}
      </header>
      <div class="min-h-0 grow overflow-y-auto px-6 py-4 phone:px-4">{props.children}</div>
    </section>
  )
}
