import { LivePtyHosts, run } from '../drivers/live-pty-host.ts'

const WHOLE = Array.from({ length: 4000 }, (_, i) => `${i + 1}\r\n`).join('')

/** Commands that print and end at once, in a pty-host that runs on another Node: how many lost a byte or their exit code. */
export async function loss(node: string, runs: number): Promise<number> {
  const at = await new LivePtyHosts({ node }).start()
  try {
    const { client } = await at.host()
    let lost = 0
    for (let i = 0; i < runs; i++) {
      const command = at.command('seq 1 4000; exit 7')
      const { pty, end } = await run(client, command)
      const whole = at.printed(command.runId).toString() === WHOLE
      if (!whole || end === 'lost' || end.exitCode !== 7) lost += 1
      pty.forget()
    }
    return lost
  } finally {
    at.close()
  }
}
