// Exported variables as shells print them: read, compared and written back.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseEnvironment, quoteWord, restoreText } from '../../../src-main/core/shells/environment.ts';

const VALUES: Readonly<Record<string, string>> = {
  PB_PLAIN: 'x',
  PB_EMPTY: '',
  PB_SPACES: ' a  b ',
  PB_QUOTES: `it's "so" \`x\` $HOME \\ !`,
  PB_LINES: 'one\ntwo\n\ndeclare -x FAKE="1"\nexport FAKE=1',
  PB_CONTROL: '\u001b[31m\t\u0007',
  PB_UNICODE: 'żółć 漢字 😀',
};

const DUMPS = [
  ['bash', ['--norc', '-c', 'declare -px']],
  ['dash', ['-c', 'export -p']],
  ['busybox', ['ash', '-c', 'export -p']],
] as const;

function run(shell: string, args: readonly string[], env: Readonly<Record<string, string>>): string {
  return execFileSync(shell, args, { env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...env }, encoding: 'utf8' });
}

describe.each(DUMPS)('%s %j', (shell, args) => {
  it('brings another shell to the same values, odd ones too, and removes what was removed', () => {
    const wanted = parseEnvironment(run(shell, args, VALUES));
    const fresh = parseEnvironment(run(shell, args, { PB_GONE: '1', PB_PLAIN: 'old' }));
    if (wanted === null || fresh === null) throw new Error('not parsed');
    expect([...wanted.keys()]).toEqual(expect.arrayContaining(Object.keys(VALUES)));
    expect(wanted.has('FAKE')).toBe(false);
    const text = `${restoreText(fresh, wanted)}\nenv -0`;
    const after = run(shell, [...args.slice(0, -1), text], { PB_GONE: '1', PB_PLAIN: 'old' });
    const seen: Record<string, string> = {};
    for (const entry of after.split('\0')) seen[entry.split('=')[0] ?? ''] = entry.replace(/^[^=]*=/, '');
    expect(seen).toMatchObject(VALUES);
    expect(seen).not.toHaveProperty('PB_GONE');
  });
});

describe('parseEnvironment', () => {
  it('leaves out what belongs to one login or one shell', () => {
    const dump =
      'export SSH_CONNECTION="x"\nexport SHLVL="1"\nexport PWD="/"\nexport _="x"\nexport KEPT="1"\nexport BARE\n';
    expect(parseEnvironment(dump)).toEqual(
      new Map([
        ['KEPT', '"1"'],
        ['BARE', null],
      ]),
    );
  });

  it('refuses a dump that something else wrote into', () => {
    expect(parseEnvironment('declare -x A="1"\ntick\ndeclare -x B="2"\n')).toBeNull();
    expect(parseEnvironment('declare -x A="1')).toBeNull();
  });

  it('has nothing to restore when nothing differs', () => {
    const same = parseEnvironment('declare -x A="1"\n') ?? new Map<string, string | null>();
    expect(restoreText(same, same)).toBe('');
  });
});

it('quoteWord keeps any text one word', () => {
  const text = `it's "a" $HOME\n\\ !`;
  expect(run('sh', ['-c', `printf %s ${quoteWord(text)}`], {})).toBe(text);
});
