import { WAYS } from '../../approving/scopes.ts'
import { chord } from '../controller/keys.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { Dialog } from '../parts/dialog.tsx'

/** Those whose name says it all. */
const NAMED = Object.values(WAYS).filter(way => way !== WAYS.always)

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'Decline, while Decline has the keyboard. In the field for the reason: decline with it'],
  [chord, 'Approve, once all of the command was on the screen'],
  ['Space, Page Down', 'Read on. Shift Space and Page Up go back'],
  ['Home, End, ↑, ↓', 'Move in the question. None of the keys that move ever decides'],
  ['R', 'Decline with a reason'],
  ['E', 'Run another line instead'],
  [WAYS.always.key, 'Approve, and don’t ask again. What that means is on its button'],
  [NAMED.map(({ key }) => key).join(', '), `Approve: ${NAMED.map(({ short }) => short.toLowerCase()).join(', ')}`],
  ['S', 'The same, and change the rules first'],
  ['T', 'Trust the folder with the answer, or not'],
  ['J, K', 'The next question, the one before'],
  ['F6', 'Between the questions and the terminals'],
  ['Esc', 'Close what is open below the question, or leave a page'],
  ['?', 'This list'],
]

/** What each key does. Letters count everywhere but in a terminal or a text field. */
export function KeysList({ controller }: { controller: WindowController }) {
  return (
    <Dialog
      title="Keys"
      mark={{ 'data-keys': true }}
      onClose={() => {
        controller.showsKeys.value = false
      }}
    >
      {close => (
        <>
          <dl class="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2 text-[13.5px] phone:grid-cols-1 phone:gap-y-0.5">
            {KEYS.map(([key, does]) => (
              <>
                <dt key={`${key}-key`} class="font-mono text-[12.5px] phone:mt-1.5">
                  {key}
                </dt>
                <dd key={key} class="text-soft">
                  {does}
                </dd>
              </>
            ))}
          </dl>
          <p class="mt-3 text-[13px] text-soft">In a terminal or a text field a letter is a letter.</p>
          <div class="mt-4 flex justify-end">
            <button type="button" class="button" onClick={close}>
              Close
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
