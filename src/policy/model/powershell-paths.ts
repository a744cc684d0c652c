/** Whether a path, as written in PowerShell or cmd, is a whole drive, a home, or what a system lives in. */
export function isPreciousWindowsPath(written: string): boolean {
  let path = written
    .replace(/^(?:[\w.]+\\)?filesystem::/i, '')
    .replace(/^registry::/i, '')
    .replace(/^\\\\[?.]\\/, '')
    .replace(/^[\\/]{2}[^\\/]+[\\/]([a-z])\$/i, '$1:')
    .replace(/^-[a-z]+:(?=.{2})/i, '')
    .replaceAll('/', '\\')
    .replace(/%(\w+)%/g, '$$env:$1')
  path = withoutDots(path)
    // `C:\%x` is whatever a loop of cmd finds there.
    .replace(/\\(?:\*(?:\.\*)?|%{1,2}(?:~\w{0,8}?)?[a-z])$|\*(?:\.\*)?$/i, '')
    .replace(/\\+$/, '')
  if (path === '') return /[\\/~]/.test(written)
  return PRECIOUS.some(pattern => pattern.test(path))
}

const PRECIOUS = [
  // a drive, and what every Windows keeps on it
  /^(?:[a-z]:|\$env:(?:systemdrive|homedrive))(?:\\(?:windows(?:\\system32)?|users(?:\\[^\\]+)?|program files(?: \(x86\))?|programdata|boot|recovery|documents and settings))?$/i,
  /^\$env:(?:systemroot|windir|programfiles(?:\(x86\))?|programdata|userprofile|homepath|public|home|onedrive|allusersprofile)$/i,
  /^(?:~|\$_\.root|\$home|\$env:homedrive\$env:homepath)$/i,
  /^\$env:(?:systemroot|windir)\\system32$/i,
  // the variable of a loop over drives
  /^%{1,2}[a-z]:$/i,
  // a Unix root under PowerShell
  /^\\(?:bin|boot|dev|etc|home(?:\\[^\\]+)?|lib|lib64|opt|proc|root|sbin|srv|sys|usr|var|users(?:\\[^\\]+)?|system|library|applications)$/i,
  /^(?:hklm:|hkcu:|hkcr:|hku:|hkey_local_machine|hkey_current_user|hkey_classes_root|hkey_users|cert:)(?:\\(?:software|system|sam|security))?$/i,
]

function withoutDots(path: string): string {
  const kept: string[] = []
  for (const name of path.split('\\')) {
    if (name === '.' && kept.length > 0) continue
    if (name === '..' && kept.length > 1) kept.pop()
    else if (name !== '' || kept.length === 0) kept.push(name)
  }
  return kept.join('\\')
}
