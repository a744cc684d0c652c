# Windows: starts the bridge at logon, as you, without a window. Run it once in PowerShell; Unregister-ScheduledTask takes it back.
param([string]$Address = '127.0.0.1')
$ErrorActionPreference = 'Stop'
$program = (Get-Command interactive-terminal).Source
$action = New-ScheduledTaskAction -Execute 'conhost.exe' -Argument "--headless `"$program`" bridge --bridge-address $Address"
$trigger = New-ScheduledTaskTrigger -AtLogOn -User $env:USERNAME
$settings = New-ScheduledTaskSettingsSet -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries -ExecutionTimeLimit 0 -RestartCount 3 -RestartInterval (New-TimeSpan -Minutes 1)
Register-ScheduledTask -TaskName 'interactive-terminal bridge' -Action $action -Trigger $trigger -Settings $settings
