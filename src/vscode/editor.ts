import type * as vscode from 'vscode'

/** What we use of the editor's module: passed in, so that tests have their own. */
export type Editor = Pick<
  typeof vscode,
  | 'CancellationTokenSource'
  | 'EventEmitter'
  | 'LanguageModelTextPart'
  | 'LanguageModelToolResult'
  | 'MarkdownString'
  | 'McpStdioServerDefinition'
  | 'StatusBarAlignment'
  | 'TabInputWebview'
  | 'ThemeColor'
  | 'ThemeIcon'
  | 'Uri'
  | 'ViewColumn'
  | 'commands'
  | 'env'
  | 'lm'
  | 'version'
  | 'window'
  | 'workspace'
>

export const SECTION = 'interactive-terminal'
