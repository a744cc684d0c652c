import { type Choice, isSpelledOut } from '../../approving/choices.ts'
import type { Press } from '../state/attention.ts'
import type { Card } from '../state/card.ts'
import type { WindowController } from './window-controller.ts'

/** Approves as this choice says. One that allows more than its words can name shows its rules first. */
export function giveChoice(controller: WindowController, card: Card, choice: Choice, press: Press | null): void {
  const { question } = card
  if (question.kind !== 'command' || isSpelledOut(question, choice)) controller.approve(card, press, choice)
  else controller.draft(question.ask_id, { panel: 'scope', choice: choice.id, rules: choice.rules })
}
