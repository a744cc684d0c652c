# Starts the MCP server in a container that reaches the host's window. The same as run-container.sh, for PowerShell.
#   ./run-container.ps1 NAME mcp|http|doctor
# NAME is what "interactive-terminal pair NAME" paired. Podman and Docker on Windows and macOS run containers in a virtual machine:
# set PM_TERM_BRIDGE_ADDRESS on the host as docs/containers.md says.
param(
  [Parameter(Mandatory)][string]$Name,
  [ValidateSet('mcp', 'http', 'doctor')][string]$What = 'mcp',
  [string]$Engine = $(if ($env:ENGINE) { $env:ENGINE } elseif (Get-Command podman -ErrorAction SilentlyContinue) { 'podman' } else { 'docker' }),
  [string]$Image = $(if ($env:IMAGE) { $env:IMAGE } else { 'interactive-terminal' }),
  [string]$Project = (Get-Location).Path,
  [int]$HttpPort = $(if ($env:HTTP_PORT) { [int]$env:HTTP_PORT } else { 3000 })
)
$ErrorActionPreference = 'Stop'
function Say([string]$Text) { [Console]::Error.WriteLine("run-container: $Text") }
function Refuse([string]$Text) { Say $Text; exit 2 }
function It {
  if (Get-Command interactive-terminal -ErrorAction SilentlyContinue) { & interactive-terminal @args }
  else { & node (Join-Path $PSScriptRoot 'dist/interactive-terminal.cjs') @args }
}

if (-not (Get-Command $Engine -ErrorAction SilentlyContinue)) { Refuse "there is no $Engine here. Use -Engine podman or -Engine docker." }
$key = Join-Path (It where keys) "$Name.key"
$data = It where data
$state = It where state
if (-not (Test-Path $key)) { Refuse "`"$Name`" is not paired ($key). Run: node `"$PSScriptRoot/dist/interactive-terminal.cjs`" pair $Name" }
& $Engine image inspect $Image *> $null
if ($LASTEXITCODE -ne 0) { Refuse "there is no image $Image. Run: npm ci; npm run build; $Engine build -t $Image $PSScriptRoot" }
if (-not (Test-Path (Join-Path $state 'host.json'))) { Say 'no host runs yet: interactive commands are refused until "interactive-terminal" runs.' }
New-Item -ItemType Directory -Force $data > $null

# A Windows path has no place of its own in a Linux container: the project is at /project there, and interactive commands need -w.
$inside = if ($IsWindows -or $env:OS -eq 'Windows_NT') { '/project' } else { $Project }
if ($inside -ne $Project) { Say 'commands that name no directory run outside under a path the host does not have: give runtime.cwd as the host knows it.' }
$arguments = @(
  'run', '--rm', '--cap-drop', 'all', '--security-opt', 'no-new-privileges',
  '-v', "${Project}:$inside", '-w', $inside, '-v', "${data}:/data:ro", '-e', 'PM_TERM_DATA_DIR=/data',
  '-e', 'PM_INTERACTIVE_TERMINAL_KEY_FILE=/run/secrets/interactive-terminal.key'
)
if ($Engine -eq 'podman') {
  & podman secret rm "interactive-terminal-$Name" *> $null
  & podman secret create "interactive-terminal-$Name" $key > $null
  $arguments += @('--secret', "interactive-terminal-$Name,target=interactive-terminal.key,mode=0400,uid=1000", '--user', '1000:1000')
} else {
  $arguments += @('-v', "${key}:/run/secrets/interactive-terminal.key:ro", '--add-host', 'host.docker.internal:host-gateway')
}
$ours = '^PM_TERM_(HOME|DATA_DIR|PORT|APPROVER_PORT|BRIDGE_ADDRESS|HTTP_ADDRESS|HTTP_PORT|HTTP_TOKEN_FILE)$|^PM_INTERACTIVE_TERMINAL_(KEY_FILE|HOST_SOCKET|BINARY)$'
Get-ChildItem env: | Where-Object { $_.Name -match '^PM_(TERM|INTERACTIVE_TERMINAL)_' -and $_.Name -notmatch $ours } |
  ForEach-Object { $arguments += @('-e', $_.Name) }
# Only who talks over stdin needs it.
if ($What -ne 'http') { $arguments += '-i' }
if ($What -eq 'http') {
  $token = It where http-token
  if (-not (Test-Path $token)) { Refuse "there is no token ($token). Start `"interactive-terminal`" once: it makes one." }
  if ($Engine -eq 'podman') {
    & podman secret rm interactive-terminal-token *> $null
    & podman secret create interactive-terminal-token $token > $null
    $arguments += @('--secret', 'interactive-terminal-token,target=http-token,mode=0400,uid=1000')
  } else { $arguments += @('-v', "${token}:/run/secrets/http-token:ro") }
  $arguments += @('-p', "127.0.0.1:${HttpPort}:3000", '-e', "PM_TERM_HTTP_HOSTS=127.0.0.1:${HttpPort},localhost:${HttpPort}", '-e', 'PM_TERM_HTTP_TOKEN_FILE=/run/secrets/http-token')
}
& $Engine @arguments $Image $What
exit $LASTEXITCODE
