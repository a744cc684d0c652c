/** What was printed last, as a person sees it: without what moves the cursor or colours it. */
export function lastLine(printed: string): string {
  const plain = printed
    .replace(/\x1b(?:\[[0-9;?<=>]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][A-Za-z0-9]|[=>78cDEHMNOZ])/g, '')
    .replace(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]/g, '')
  return (
    plain
      .slice(plain.lastIndexOf('\n') + 1)
      .split('\r')
      .filter(Boolean)
      .at(-1)
      ?.trimEnd() ?? ''
  )
}
