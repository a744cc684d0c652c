import type { ComponentType } from 'preact'
import type { WindowController } from '../controller/window-controller.ts'
import type { Card } from '../state/card.ts'

/** What opens below a question, to fill in before the answer. */
export type Panel = ComponentType<{ controller: WindowController; card: Card }>
