import { ArrowLeft, Play, RotateCcw } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { commandLine } from '../../approving/question.ts'
import type { HistoryItem, HistoryOpened } from '../../contract/window/history-frames.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { CodeView, Drawn } from '../parts/drawn.tsx'
import { Icon } from '../parts/icon.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { readCast } from './cast.ts'
import { ExportMenu, exportOf } from './export-menu.tsx'
import { OutputView } from './output-view.tsx'
import { RunFacts } from './run-facts.tsx'
import { endingOf } from './run-words.ts'

const TONES = { good: 'text-good', bad: 'text-grave', quiet: 'text-soft' } as const

/** One run: what it was, how it ended, what it printed, and asking for it again. */
export function RunPage({ controller, of }: { controller: WindowController; of: string }) {
  const [requester = '', session_id = ''] = of.split(' ')
  const [opened, setOpened] = useState<HistoryOpened | null>(null)
  const [replay, setReplay] = useState<ComponentChildren>(null)
  const { link } = controller.state.value
  useEffect(() => {
    if (link.at !== 'open') return
    void controller.query({ type: 'history_open', requester, session_id }, 'history_opened').then(setOpened)
  }, [controller, of, link.at])
  const back = (): void => controller.show({ view: 'page', page: 'history' })
  return (
    <PageFrame
      name="run"
      title="Run"
      tools={
        <>
          <button type="button" class="button button-small" data-back onClick={back}>
            <Icon of={ArrowLeft} size={14} /> History
          </button>
          {opened && !opened.item.is_shell && <RunAgain controller={controller} opened={opened} />}
          {opened && opened.item.output_bytes > 0 && (
            <ReplayButton controller={controller} of={opened.item} show={setReplay} />
          )}
          {opened && <ExportMenu controller={controller} item={opened.item} />}
        </>
      }
    >
      {opened && <Opened controller={controller} opened={opened} replay={replay} />}
    </PageFrame>
  )
}

function RunAgain({ controller, opened: { item } }: { controller: WindowController; opened: HistoryOpened }) {
  const { requester, session_id } = item
  const again = async (): Promise<void> => {
    const reply = await controller.query({ type: 'history_rerun', requester, session_id }, 'done')
    if (reply) controller.say('plain', 'It needs your approval like any other command: the question waits in the list.')
  }
  return (
    <button type="button" class="button button-small" data-rerun onClick={again}>
      <Icon of={RotateCcw} size={14} /> Run again
    </button>
  )
}

/** The player and the recording are loaded when somebody wants to see them. */
function ReplayButton(props: {
  controller: WindowController
  of: HistoryItem
  show: (replay: ComponentChildren) => void
}) {
  const replay = async (): Promise<void> => {
    const [{ Replay }, file] = await Promise.all([
      import('./replay.tsx'),
      exportOf(props.controller, props.of, { format: 'asciicast', version: 3 }),
    ])
    if (file) props.show(<Replay cast={readCast(file.parts.join(''))} />)
  }
  return (
    <button type="button" class="button button-small" data-show-replay onClick={replay}>
      <Icon of={Play} size={14} /> Replay
    </button>
  )
}

function Opened(props: { controller: WindowController; opened: HistoryOpened; replay: ComponentChildren }) {
  const { controller, replay } = props
  const { item, said } = props.opened
  const asked = commandLine({ command: said.command, args: said.args ?? null })
  const ran = said.command_executed ?? asked
  const ending = endingOf(item)
  return (
    <div class="max-w-4xl" data-opened={item.session_id}>
      {item.is_shell ? (
        <p class="text-[15px]">A shell, and no command.</p>
      ) : (
        <div class="relative overflow-hidden rounded-xl border border-line bg-panel pr-10" data-run-command>
          <CodeView text={ran} />
          <CopyButton text={ran} what="command" />
        </div>
      )}
      {said.command_executed !== undefined && (
        <p class="mt-1.5 text-[13px] text-soft">
          You changed it. It was asked for: <Drawn text={asked} />
        </p>
      )}
      <p class={`mt-3 font-medium ${TONES[ending.tone]}`} data-ending>
        <Drawn text={ending.text} as="prose" />
      </p>
      {replay}
      <RunFacts item={item} said={said} />
      <OutputView controller={controller} item={item} />
    </div>
  )
}
