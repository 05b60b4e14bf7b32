// What Patchbay understands of its command line.
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src-main/electron/start-arguments.ts';
import { parseOptions, usageLines } from '../../src-main/program-options.ts';

const RUN = { kind: 'run', hidden: false, idleExit: false, takeOver: false, force: false };

describe('the options', () => {
  it.each([
    [[], RUN],
    [['--headless', '--idle-exit'], { ...RUN, idleExit: true }],
    [['--hidden'], { ...RUN, hidden: true }],
    [['--take-over', '--force'], { ...RUN, takeOver: true, force: true }],
    [['--stop'], { kind: 'stop', force: false }],
    [['--stop', '--force'], { kind: 'stop', force: true }],
    [['--version'], { kind: 'version' }],
    [['-h'], { kind: 'help' }],
    [['--take-over', '--help', '--version'], { kind: 'help' }],
    [['--print-client-config'], { kind: 'client-entry', style: 'claude-desktop' }],
    [['--print-client-config=claude-code'], { kind: 'client-entry', style: 'claude-code' }],
  ] as const)('%j are %j', (args, wish) => expect(parseOptions(args)).toEqual(wish));

  it.each(['--port=1', 'web', '--stop=now', '--Headless', '--print-client-config-x'])('%s is none', (arg) => {
    const wish = parseOptions([arg]);
    expect(wish).toMatchObject({ kind: 'mistake' });
    const fault = wish.kind === 'mistake' ? wish.fault : '';
    expect(fault).toMatch(/ is not known; known options: --headless, --hidden, --take-over, --stop, --force, /);
    expect(fault.startsWith(`${arg} `)).toBe(true);
  });

  it('of clients are named when one is not known', () => {
    expect(parseOptions(['--print-client-config=cursor'])).toEqual({
      kind: 'mistake',
      fault: '--print-client-config=cursor is not known; known: claude-desktop, claude-code',
    });
  });

  it('all stand in the help', () => {
    const help = usageLines().join('\n');
    for (const name of ['--headless', '--stop', '--take-over', '--print-client-config', '--version', '--help'])
      expect(help).toContain(`  ${name}`);
  });
});

describe('the options of the app', () => {
  it('leave Chromium’s switches and the folder of the app alone', () => {
    const argv = ['--no-sandbox', '/opt/app', '--ozone-platform=x11', '--inspect=0', '--remote-debugging-port=0'];
    expect(parseArguments(argv)).toEqual(RUN);
    expect(parseArguments([...argv, '--enable-features=X', '--lang=de', '--hidden'])).toEqual({ ...RUN, hidden: true });
    expect(parseArguments(['--take-over', '--force'])).toEqual({ ...RUN, takeOver: true, force: true });
  });

  it.each(['--port=1', '--hiden', '--verbose', '--stop=now'])('%s is a mistake there, too', (arg) => {
    expect(parseArguments(['.', arg])).toMatchObject({ kind: 'mistake' });
  });
});
