// Every question and notice that is shown in a native dialog, in the words that the person reads.
import { dialog } from 'electron';
import type { BrowserWindow, MessageBoxOptions } from 'electron';
import type { RunFile } from '../core/config/run-file.ts';
import type { OtherSession } from '../other-work.ts';
import { whatIsCut } from '../second-start.ts';
import { isScreenless } from './screen-kind.ts';

/** What would be stopped by quitting. */
export interface AtWork {
  /** Commands that run or wait, one line each: `web-1: make test`. */
  readonly commands: readonly string[];
  readonly sessions: number;
}

/** Command lines shown; the rest is counted. */
const SHOWN_COMMANDS = 5;
/** Lines about sessions shown; the rest is counted. */
const SHOWN_SESSIONS = 12;

/** Asks before quitting stops something; true to quit. */
export async function askToQuit(parent: BrowserWindow | undefined, { commands, sessions }: AtWork): Promise<boolean> {
  const count = commands.length;
  const rest = count - SHOWN_COMMANDS;
  const answer = await ask(parent, {
    type: 'warning',
    message: count === 1 ? 'Quit and stop one command?' : `Quit and stop ${count} commands?`,
    detail: [
      ...commands.slice(0, SHOWN_COMMANDS),
      ...(rest > 0 ? [`and ${rest} more`] : []),
      '',
      `${sessions === 1 ? 'One session is' : `${sessions} sessions are`} closed, and assistants cannot use Patchbay until you start it again.`,
    ].join('\n'),
    buttons: ['Stop and quit', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return answer === 0;
}

/** A Patchbay without a window has the data folder: see its page, end it for this one, or nothing (undefined). */
export async function askAboutOther(
  other: Pick<RunFile, 'pid' | 'startedBy'>,
  work: readonly OtherSession[] | undefined,
): Promise<'page' | 'take-over' | undefined> {
  const who = other.startedBy === 'bridge' ? 'An assistant has started it' : 'It was started at a terminal';
  const cut = work?.length === 0 ? ['No session is open in it.'] : whatIsCut(work);
  const answer = await ask(undefined, {
    type: 'question',
    message: 'Patchbay runs already, without a window',
    detail: [
      `${who} (process ${other.pid}). This window can take its place; assistants go on with it by themselves.`,
      '',
      ...shortened(cut),
      '',
      'Its monitor page shows the same in a browser. It asks for a token: the one with which you can type is put on the clipboard.',
    ].join('\n'),
    buttons: ['Open the monitor page', 'End it and open the window', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  return (['page', 'take-over'] as const)[answer];
}

/** Stays until the person has pasted the token: on X11 a clipboard is empty once the program that filled it has ended. */
export async function waitForPaste(): Promise<void> {
  await ask(undefined, {
    type: 'info',
    message: 'The monitor page opens in your browser',
    detail: 'It asks for a token. Paste it there from the clipboard, then press OK.',
    buttons: ['OK'],
  });
}

function shortened(lines: readonly string[]): readonly string[] {
  const rest = lines.length - SHOWN_SESSIONS;
  return rest > 1 ? [...lines.slice(0, SHOWN_SESSIONS), `  and ${rest} more`] : lines;
}

/** Says once that closing hides; `hide` or `quit`, or undefined to leave the window open. */
export async function tellAboutTray(parent: BrowserWindow | undefined): Promise<'hide' | 'quit' | undefined> {
  const answer = await ask(parent, {
    type: 'info',
    message: 'Patchbay stays in the tray',
    detail: 'Sessions and assistants go on without the window. Open it again from the tray, or quit there.',
    buttons: ['Hide to the tray', 'Quit Patchbay', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  return (['hide', 'quit'] as const)[answer];
}

/** This desktop shows no tray icons, so a hidden window could not be found again; true to quit. */
export async function askWithoutTray(parent: BrowserWindow | undefined): Promise<boolean> {
  const answer = await ask(parent, {
    type: 'question',
    message: 'Quit Patchbay?',
    detail:
      'This desktop has no tray to hide in. Quitting closes all sessions; to keep them, leave the window open or minimise it.',
    buttons: ['Quit Patchbay', 'Keep the window open'],
    defaultId: 1,
    cancelId: 1,
  });
  return answer === 0;
}

/** The page died too often to be brought back again and again; true to try once more. */
export async function askToReload(reason: string): Promise<boolean> {
  const answer = await ask(undefined, {
    type: 'error',
    message: 'The window stopped working several times',
    detail: `Reason: ${reason}. Sessions and commands go on; the monitor page in a browser works as well.`,
    buttons: ['Open it again', 'Leave it closed'],
    defaultId: 0,
    cancelId: 1,
  });
  return answer === 0;
}

/**
 * Says why Patchbay does not start, until it is read. Nobody sees a dialog on a screen that does not exist. Electron's box for
 * errors would block the program, and with it every signal.
 */
export async function showStartFault(title: string, lines: readonly string[]): Promise<void> {
  if (isScreenless()) return;
  await ask(undefined, { type: 'error', message: title, detail: lines.join('\n'), buttons: ['OK'] });
}

async function ask(parent: BrowserWindow | undefined, options: MessageBoxOptions): Promise<number> {
  const whole = { title: 'Patchbay', noLink: true, ...options };
  const { response } = await (parent === undefined
    ? dialog.showMessageBox(whole)
    : dialog.showMessageBox(parent, whole));
  return response;
}
