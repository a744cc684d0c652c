import { describe, expect, test } from 'vitest'
import { SETUP_CLIENTS } from './clients.ts'
import { lineDiff } from './line-diff.ts'
import { planSetup, planUndo, recordOf } from './plan.ts'
import type { Surroundings } from './setup-client.ts'

const at: Surroundings = {
  home: '/home/ann',
  platform: 'linux',
  env: {},
  exists: () => false,
  stdio: { command: 'node', args: ['/opt/it.cjs', 'mcp'] },
}

/** What each client's files look like before, and which lines setup brings. */
const GOLDEN: Record<string, Record<string, { before: string; diff: string }>> = {
  claude: {
    '/home/ann/.claude.json': {
      before: '{\n  "numStartups": 3\n}\n',
      diff: `  {
-   "numStartups": 3
+   "numStartups": 3,
+   "mcpServers": {
+     "interactive-terminal": {
+       "type": "stdio",
+       "command": "node",
+       "args": [
+         "/opt/it.cjs",
+         "mcp"
+       ],
+       "env": {}
+     }
+   }
  }`,
    },
    '/home/ann/.claude/settings.json': {
      before: '{\n  "permissions": { "deny": ["WebFetch"] }\n}\n',
      diff: `  {
-   "permissions": { "deny": ["WebFetch"] }
+   "permissions": { "deny": ["WebFetch", "Bash"], "allow": [
+     "mcp__interactive-terminal__memory_terminal",
+     "mcp__interactive-terminal__memory_terminal_interactive"
+   ] }
  }`,
    },
  },
  codex: {
    '/home/ann/.codex/config.toml': {
      before: 'model = "o"\n\n[features]\nweb = true\n',
      diff: `  
  [features]
+ shell_tool = false
  web = true
+ 
+ [mcp_servers.interactive-terminal]
+ command = "node"
+ args = ["/opt/it.cjs", "mcp"]
+ default_tools_approval_mode = "approve"`,
    },
  },
  gemini: {
    '/home/ann/.gemini/settings.json': {
      before: '{\n  // mine\n  "tools": {\n    "exclude": ["web_fetch"]\n  }\n}\n',
      diff: `    // mine
    "tools": {
-     "exclude": ["web_fetch"]
+     "exclude": ["web_fetch", "run_shell_command"]
+   },
+   "mcpServers": {
+     "interactive-terminal": {
+       "command": "node",
+       "args": [
+         "/opt/it.cjs",
+         "mcp"
+       ],
+       "trust": true
+     }
    }
  }`,
    },
  },
  copilot: {
    '/home/ann/.copilot/mcp-config.json': {
      before: '{"mcpServers":{}}',
      diff: `- {"mcpServers":{}}
+ {"mcpServers":{
+   "interactive-terminal": {
+     "type": "local",
+     "command": "node",
+     "args": [
+       "/opt/it.cjs",
+       "mcp"
+     ],
+     "env": {},
+     "tools": [
+       "*"
+     ]
+   }
+ }}`,
    },
  },
  opencode: {
    '/home/ann/.config/opencode/opencode.json': {
      before: '{\n  "theme": "x", // night\n}\n',
      diff: `  {
    "theme": "x", // night
+   "mcp": {
+     "interactive-terminal": {
+       "type": "local",
+       "command": [
+         "node",
+         "/opt/it.cjs",
+         "mcp"
+       ],
+       "enabled": true
+     }
+   },
+   "permission": {
+     "interactive-terminal_memory_terminal": "allow",
+     "interactive-terminal_memory_terminal_interactive": "allow",
+     "bash": "deny"
+   },
  }`,
    },
  },
  qwen: {
    '/home/ann/.qwen/settings.json': {
      before: '{}\n',
      diff: `- {}
+ {
+   "mcpServers": {
+     "interactive-terminal": {
+       "command": "node",
+       "args": [
+         "/opt/it.cjs",
+         "mcp"
+       ],
+       "trust": true,
+       "alwaysLoadTools": true
+     }
+   },
+   "permissions": {
+     "deny": [
+       "run_shell_command"
+     ]
+   }
+ }`,
    },
  },
  cursor: {
    '/home/ann/.cursor/mcp.json': {
      before: '',
      diff: `+ {
+   "mcpServers": {
+     "interactive-terminal": {
+       "command": "node",
+       "args": [
+         "/opt/it.cjs",
+         "mcp"
+       ]
+     }
+   }
+ }`,
    },
    '/home/ann/.cursor/permissions.json': {
      before: '{ "mcpAllowlist": ["x:*"] }\n',
      diff: `- { "mcpAllowlist": ["x:*"] }
+ { "mcpAllowlist": ["x:*", "interactive-terminal:memory_terminal", "interactive-terminal:memory_terminal_interactive"] }`,
    },
  },
  vscode: {
    '/home/ann/.config/Code/User/mcp.json': {
      before: '{\n\t"servers": {\n\t\t"x": {}\n\t},\n\t"inputs": []\n}\n',
      diff: `  {
  	"servers": {
- 		"x": {}
+ 		"x": {},
+ 		"interactive-terminal": {
+ 			"type": "stdio",
+ 			"command": "node",
+ 			"args": [
+ 				"/opt/it.cjs",
+ 				"mcp"
+ 			]
+ 		}
  	},
  	"inputs": []
  …`,
    },
  },
  'claude-desktop': {
    '/home/ann/.config/Claude/claude_desktop_config.json': {
      before: '',
      diff: `+ {
+   "mcpServers": {
+     "interactive-terminal": {
+       "command": "node",
+       "args": [
+         "/opt/it.cjs",
+         "mcp"
+       ]
+     }
+   }
+ }`,
    },
  },
  continue: {
    '/home/ann/.continue/mcpServers/interactive-terminal.json': {
      before: '',
      diff: `+ {
+   "mcpServers": {
+     "interactive-terminal": {
+       "command": "node",
+       "args": [
+         "/opt/it.cjs",
+         "mcp"
+       ]
+     }
+   }
+ }`,
    },
  },
  cline: {
    '/home/ann/.cline/data/settings/cline_mcp_settings.json': {
      before: '{\n  "mcpServers": {}\n}\n',
      diff: `  {
-   "mcpServers": {}
+   "mcpServers": {
+     "interactive-terminal": {
+       "transport": {
+         "type": "stdio",
+         "command": "node",
+         "args": [
+           "/opt/it.cjs",
+           "mcp"
+         ]
+       },
+       "disabled": false,
+       "autoApprove": [
+         "memory_terminal",
+         "memory_terminal_interactive"
+       ]
+     }
+   }
  }`,
    },
  },
}

test('every client has its golden change', () => {
  expect(SETUP_CLIENTS.map(({ id }) => id).sort()).toEqual(Object.keys(GOLDEN).sort())
})

describe.each(SETUP_CLIENTS.map(client => [client.id, client] as const))('%s', (id, client) => {
  const golden = GOLDEN[id] ?? {}
  const files = client.files(at, true)
  const read = (file: string) => golden[file]?.before ?? null
  const changes = planSetup(files, read)

  test('only what is missing comes, and everything else stays', () => {
    const diffs = changes.map(({ file, before, after }) => [file, lineDiff(before ?? '', after ?? '').join('\n')])
    expect(Object.fromEntries(diffs)).toEqual(
      Object.fromEntries(Object.entries(golden).map(([file, { diff }]) => [file, diff])),
    )
  })

  test('a second time changes nothing', () => {
    const after = new Map(changes.map(each => [each.file, each.after]))
    for (const again of planSetup(files, file => after.get(file) ?? null)) expect(again.after).toBe(again.before)
  })

  test('undo brings back every byte', () => {
    const after = new Map(changes.map(each => [each.file, each.after]))
    const record = recordOf(id, files, changes, null)
    for (const back of planUndo(record, file => after.get(file) ?? null)) expect(back.after).toBe(read(back.file))
  })

  test('undo leaves what others have written since', () => {
    const mark = id === 'codex' ? ['[x]\ny = 1\n', ''] : ['', ' // theirs']
    const after = new Map(changes.map(each => [each.file, `${each.after}${mark.join('')}`]))
    const record = recordOf(id, files, changes, null)
    for (const back of planUndo(record, file => after.get(file) ?? null)) {
      expect(back.after).toContain(mark.join('').trim())
      expect(back.after).not.toContain('/opt/it.cjs')
      expect(back.after).not.toMatch(/shell_tool|run_shell_command|"Bash"|memory_terminal/)
    }
  })
})

describe('a gate before a client’s own shell tool', () => {
  const [claude] = SETUP_CLIENTS
  const [wanted] = claude?.gate?.(at) ?? []
  const before = '{\n  "hooks": { "PreToolUse": [{ "matcher": "Write", "hooks": [] }] }\n}\n'
  const files = wanted ? [wanted] : []

  test('is added beside hooks that are there, once, and undo takes back exactly that', () => {
    const changes = planSetup(files, () => before)
    const after = JSON.parse(changes[0]?.after ?? '') as { hooks: { PreToolUse: { matcher: string }[] } }
    expect(after.hooks.PreToolUse).toEqual([
      { matcher: 'Write', hooks: [] },
      {
        matcher: 'Bash|PowerShell',
        hooks: [{ type: 'command', command: '"node" "/opt/it.cjs" gate claude || exit 2', timeout: 60 }],
      },
    ])
    expect(planSetup(files, () => changes[0]?.after ?? null)[0]?.after).toBe(changes[0]?.after)
    const record = recordOf('claude', files, changes, null)
    expect(planUndo(record, () => changes[0]?.after ?? null)[0]?.after).toBe(before)
    const theirs = changes[0]?.after?.replace('"Write"', '"Edit"') ?? ''
    expect(planUndo(record, () => theirs)[0]?.after).toBe(before.replace('"Write"', '"Edit"'))
  })

  test('only clients that ask before they run a command have one', () => {
    expect(SETUP_CLIENTS.filter(({ gate }) => gate).map(({ id }) => id)).toEqual(['claude'])
  })
})
