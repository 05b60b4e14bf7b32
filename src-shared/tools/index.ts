// Every tool, by name, in the order in which it is listed.
import { sshCommandCancel, sshCommandOutput, sshExec } from './exec.ts';
import { sshConnect, sshDisconnect, sshGetSessionUrl, sshHosts, sshListSessions, sshSessionStatus } from './session.ts';
import { sshTerminal } from './terminal.ts';

export { defineTool, toolDescription } from './define-tool.ts';
export type { Effect, ToolDeclaration } from './define-tool.ts';
export { listTool } from './listing.ts';
export type { ListedTool, ObjectJsonSchema } from './listing.ts';
export {
  EXEC_OUTPUT_CHARS,
  EXEC_OUTPUT_MAX_CHARS,
  EXEC_STDIN_MAX_BYTES,
  EXEC_TIMEOUT_MAX_SECONDS,
  EXEC_TIMEOUT_SECONDS,
  EXEC_WAIT_SECONDS,
} from './exec.ts';
export { credentialsSchema } from './session.ts';
export { TERMINAL_KEYS } from './terminal.ts';

/** The declarations, keyed by name: handlers are a total map over these keys. */
export const TOOLS = {
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
} as const;

export type ToolName = keyof typeof TOOLS;
