import { Check, Copy } from 'lucide'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** Copies exactly the text it was given, not what is drawn for it. */
export function CopyButton({ text, what, inline = false }: { text: string; what: string; inline?: boolean }) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button
      type="button"
      class={`ghost ${inline ? '' : 'absolute top-1.5 right-1.5 bg-panel'}`}
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      title={`Copy ${what}`}
      onClick={copy}
    >
      <Icon of={copied ? Check : Copy} size={15} />
    </button>
  )
}
