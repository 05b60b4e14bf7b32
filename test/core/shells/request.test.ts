// Which commands need no dump of variables afterwards.
import { describe, expect, it } from 'vitest';
import { isPlainCommand } from '../../../src-main/core/shells/request.ts';

describe('isPlainCommand', () => {
  it.each(['true', 'git status --short', 'ls -la /tmp', './build.sh all', '/usr/bin/env', 'npm run test:unit'])(
    'takes %j for a program with plain words',
    (command) => expect(isPlainCommand(command)).toBe(true),
  );

  it.each([
    ...['export A', 'A=1', 'A=1 true', 'cd /tmp', '. ./env', 'source env', 'read x', 'true; export B', 'f() { true; }'],
    ...[
      'printf -v A x',
      'echo $A',
      'true &',
      'a | b',
      'unset A',
      'true\nexport A',
      '',
      ' true',
      'time',
      'eval x',
      'x[1]',
    ],
  ])('does not take %j for one', (command) => expect(isPlainCommand(command)).toBe(false));
});
