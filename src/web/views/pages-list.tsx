import { Activity, Bookmark, History, Inbox, ListChecks, SlidersHorizontal } from 'lucide'
import type { WindowController } from '../controller/window-controller.ts'
import { Icon } from '../parts/icon.tsx'
import { PAGES, type PageName } from '../state/pages.ts'

const ICONS: Record<PageName, typeof SlidersHorizontal> = {
  activity: Inbox,
  history: History,
  rules: ListChecks,
  saved: Bookmark,
  status: Activity,
  settings: SlidersHorizontal,
}

/** The pages beside questions and terminals. */
export function PagesList({ controller, onPick }: { controller: WindowController; onPick: () => void }) {
  const { showing, news } = controller.state.value
  return (
    <ul class="flex shrink-0 flex-wrap gap-0.5 border-t border-line px-2 py-1.5" aria-label="Pages">
      {(Object.keys(PAGES) as PageName[]).map(page => {
        const current = showing.view === 'page' && showing.page === page
        return (
          <li key={page}>
            <button
              type="button"
              class={`ghost gap-1.5 px-2 text-[12.5px] ${current ? 'bg-raised text-ink' : ''}`}
              aria-current={current ? 'page' : undefined}
              data-page-link={page}
              onClick={() => {
                controller.show({ view: 'page', page })
                onPick()
              }}
            >
              <Icon of={ICONS[page]} size={14} /> {PAGES[page]}
              {page === 'activity' && news > 0 && (
                <span class="pill pill-plain tabular-nums" data-news>
                  {news > 99 ? '99+' : news}
                  <span class="sr-only"> new</span>
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
