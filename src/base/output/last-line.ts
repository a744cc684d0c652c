/** What was printed, as a person sees it: without what moves the cursor or colours it, and of a line drawn anew the last. */
export function plainText(printed: string): string {
  return printed
    .replace(/\x1b(?:\[[0-9;?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][A-Za-z0-9]|[=>78cDEHMNOZ])/g, '')
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .split('\n')
    .map(line => line.split('\r').filter(Boolean).at(-1) ?? '')
    .join('\n')
}

export function lastLine(printed: string): string {
  const plain = plainText(printed)
  return plain.slice(plain.lastIndexOf('\n') + 1).trimEnd()
}
