// The handler of every tool.
import { sshCommandCancel, sshCommandOutput, sshExec } from './exec-handlers.ts';
import { sshConnect, sshDisconnect, sshGetSessionUrl, sshHosts, sshListSessions } from './session-handlers.ts';
import { sshSessionStatus } from './status-handler.ts';
import { sshTerminal } from './terminal-handlers.ts';
import type { Handlers } from './tool-types.ts';

export const HANDLERS: Handlers = {
  ssh_connect: sshConnect,
  ssh_exec: sshExec,
  ssh_list_sessions: sshListSessions,
  ssh_get_session_url: sshGetSessionUrl,
  ssh_disconnect: sshDisconnect,
  ssh_session_status: sshSessionStatus,
  ssh_command_output: sshCommandOutput,
  ssh_command_cancel: sshCommandCancel,
  ssh_terminal: sshTerminal,
  ssh_hosts: sshHosts,
};
