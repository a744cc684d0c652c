import './style.css'
import './panel.css'
import { followEditorTheme } from './parts/editor-theme.ts'

/** The page as an editor's panel shows it: the same views as in the window, over another connection. */
followEditorTheme()
void import('./open-panel.tsx').then(({ openPanel }) => openPanel())
