// The tool that types into the terminal lane, where a program needs a TTY.
import * as z from 'zod';
import { defineTool } from './define-tool.ts';
import { notices, sessionName, waitSeconds } from './parts.ts';

/** Names of keys that `keys` understands. */
export const TERMINAL_KEYS = [
  'enter',
  'tab',
  'escape',
  'backspace',
  'delete',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'page-up',
  'page-down',
  'space',
  'ctrl-a',
  'ctrl-b',
  'ctrl-c',
  'ctrl-d',
  'ctrl-e',
  'ctrl-f',
  'ctrl-g',
  'ctrl-h',
  'ctrl-i',
  'ctrl-j',
  'ctrl-k',
  'ctrl-l',
  'ctrl-m',
  'ctrl-n',
  'ctrl-o',
  'ctrl-p',
  'ctrl-q',
  'ctrl-r',
  'ctrl-s',
  'ctrl-t',
  'ctrl-u',
  'ctrl-v',
  'ctrl-w',
  'ctrl-x',
  'ctrl-y',
  'ctrl-z',
  'ctrl-\\',
  'f1',
  'f2',
  'f3',
  'f4',
  'f5',
  'f6',
  'f7',
  'f8',
  'f9',
  'f10',
  'f11',
  'f12',
] as const;

/** The keys as they are listed to clients: a third of the length of all names. */
const KEY_LISTED = {
  type: 'string',
  pattern:
    '^(enter|tab|escape|backspace|delete|up|down|left|right|home|end|page-(up|down)|space|ctrl-[a-z\\\\]|f([1-9]|1[0-2]))$',
};

export const sshTerminal = defineTool({
  name: 'ssh_terminal',
  title: 'Type into a terminal',
  description:
    'Types into the terminal (a real TTY) of a session; returns what is new and the screen as text. Use it for programs that ask questions or fill the screen, and for devices without a POSIX shell. Types input (\\n is Enter), then keys; waits for waitFor, else for 0.5 s of quiet. No exit codes: prefer ssh_exec. Example: {"sessionName":"web-1","input":"python3\\n","waitFor":">>> $"}.',
  group: 'ssh',
  effect: 'destroys',
  types: true,
  idempotent: false,
  input: z.strictObject({
    sessionName,
    input: z.string().max(100_000).optional().describe('Text to type'),
    keys: z
      .array(z.enum(TERMINAL_KEYS).meta({ listed: KEY_LISTED }))
      .max(50)
      .optional()
      .describe('Pressed after the text'),
    waitFor: z.string().max(500).optional().describe('Pattern for the new output'),
    waitSeconds: waitSeconds(10, 600),
  }),
  output: z.object({
    output: z.string(),
    screen: z.string(),
    cursor: z.object({ row: z.number().int(), column: z.number().int() }),
    matched: z.boolean().nullable(),
    ended: z.boolean(),
    truncated: z.boolean(),
    notices,
  }),
  errors: [
    'INVALID_PARAMS',
    'SESSION_NOT_FOUND',
    'SESSION_LOST',
    'HUMAN_IN_CONTROL',
    'PAUSED',
    'DENIED',
    'UNSUPPORTED',
    'INTERNAL_ERROR',
  ],
  alwaysLoad: true,
});
