import { effect } from '@preact/signals'
import { titleOf } from '../../approving/question.ts'
import { pairedName } from '../../approving/who-asks.ts'
import { drawnText } from '../../contract/drawn-text.ts'
import type { WindowController } from '../controller/window-controller.ts'
import { lateSounds, notifies, sounds } from '../parts/preferences.ts'
import { type Card, isOpen } from '../state/card.ts'
import { cardOf, openCards } from '../state/window-model.ts'

/** Notifies a person who looks elsewhere that somebody waits: title, picture in the tab, notification, sound. */
export function notifyOfQuestions(controller: WindowController): void {
  const known = new Set<string>()
  const shown = new Map<string, Notification>()
  effect(() => {
    const cards = openCards(controller.state.value)
    document.title = cards.length > 0 ? `(${cards.length}) Interactive Terminal` : 'Interactive Terminal'
    drawBadge(cards.length)
    void (navigator as { setAppBadge?: (count: number) => Promise<void> }).setAppBadge?.(cards.length).catch(() => {
      // Only installed pages have one.
    })
    const fresh = cards.filter(({ question }) => !known.has(question.ask_id))
    for (const { question } of fresh) known.add(question.ask_id)
    if (fresh.length > 0) announce(controller, fresh, shown)
    for (const [askId, notification] of shown)
      if (!controller.state.value.cards.some(card => card.question.ask_id === askId && isOpen(card))) {
        notification.close()
        shown.delete(askId)
      }
  })

  effect(() => {
    const reminder = controller.reminded.value
    const card = reminder && cardOf(controller.state.peek(), reminder.ask_id)
    if (!card || !isOpen(card)) return
    if (reminder.stage === 'late' && lateSounds.peek()) chime()
    announceAway(controller, card, shown, STILL[reminder.stage])
  })
}

const STILL = { half: 'still asks', late: 'asks, and the question is about to expire' } as const
const LONGEST = 120

function inContainer(requester: string): string {
  const name = pairedName(requester)
  return name === null ? '' : ` in ${name}`
}

function announce(controller: WindowController, fresh: readonly Card[], shown: Map<string, Notification>): void {
  if (sounds.peek()) chime()
  for (const card of fresh) announceAway(controller, card, shown, 'asks')
}

/** On the desktop, to who looks elsewhere. What was said of this question before is replaced. */
function announceAway(
  controller: WindowController,
  { question }: Card,
  shown: Map<string, Notification>,
  does: string,
): void {
  const away = document.visibilityState === 'hidden' || !document.hasFocus()
  if (!away || !notifies.peek()) return
  const name = question.client === '' ? 'An agent' : `“${short(question.client)}”`
  shown.get(question.ask_id)?.close()
  const notification = new Notification(`${name}${inContainer(question.requester)} ${does}`, {
    body: short(titleOf(question)),
    tag: question.ask_id,
    icon: badge(1),
  })
  // It only leads here. Nothing is decided outside the window.
  notification.onclick = () => {
    window.focus()
    controller.show({ view: 'card', askId: question.ask_id })
    notification.close()
  }
  shown.set(question.ask_id, notification)
}

/** Others may read it over a shoulder or on a locked screen, and nobody can decide by it: a piece is enough, cut where it shows. */
function short(text: string): string {
  const drawn = drawnText(text.slice(0, LONGEST))
  return drawn.length < LONGEST ? drawn : `${drawn.slice(0, LONGEST - 1)}…`
}

/** Only in a tab. A window of its own has none, and its browser would write the picture down beside the address it came from. */
function drawBadge(count: number): void {
  if (!matchMedia('(display-mode: browser)').matches) return
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link) link.href = badge(count)
}

/** The picture in the tab, with how many wait. */
function badge(count: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = 64
  canvas.height = 64
  const pen = canvas.getContext('2d')
  if (!pen) return 'data:,'

  pen.fillStyle = '#0b6b5d'
  pen.beginPath()
  pen.roundRect(2, 2, 60, 60, 14)
  pen.fill()
  pen.strokeStyle = '#ffffff'
  pen.lineWidth = 6
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.stroke(new Path2D('M16 22 L27 32 L16 42 M33 43 H47'))

  if (count > 0) {
    pen.fillStyle = '#d9480f'
    pen.beginPath()
    pen.arc(46, 18, 18, 0, 2 * Math.PI)
    pen.fill()
    pen.fillStyle = '#ffffff'
    pen.font = 'bold 26px sans-serif'
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(count > 9 ? '9+' : String(count), 46, 19)
  }
  return canvas.toDataURL()
}

/** Two soft notes, made here: no file to load. */
function chime(): void {
  const audio = new AudioContext()
  for (const [at, pitch] of [
    [0, 660],
    [0.12, 880],
  ] as const) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.06, audio.currentTime + at)
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + at + 0.25)
    tone.connect(volume).connect(audio.destination)
    tone.start(audio.currentTime + at)
    tone.stop(audio.currentTime + at + 0.3)
  }
  setTimeout(() => void audio.close(), 800)
}
