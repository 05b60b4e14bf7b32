// Checks that secrets are found by their mark and taken out, whatever form they come in.
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../src-shared/tools/index.ts';
import { holdsSecret, isSecret, maskUnchecked, secretsIn, withoutSecrets } from '../../src-main/mcp/secret-fields.ts';

const schema = TOOLS.ssh_connect.input;
const ARGUMENTS = {
  name: 'a',
  host: 'h',
  port: 22,
  credentials: { username: 'u', keyFile: '/k', passphrase: 'SECRET-1', password: 'SECRET-2', agent: false },
};

describe('marked fields', () => {
  it('are found at any depth', () => {
    expect(isSecret(schema.shape.credentials)).toBe(false);
    expect(holdsSecret(schema.shape.credentials)).toBe(true);
    expect(holdsSecret(TOOLS.ssh_exec.input)).toBe(false);
    expect(secretsIn(schema, ARGUMENTS)).toEqual(['SECRET-1', 'SECRET-2']);
    expect(secretsIn(schema, { name: 'a', host: 'h' })).toEqual([]);
  });

  it('are left out of what is kept, and everything else stays as it is', () => {
    expect(withoutSecrets(schema, ARGUMENTS)).toEqual({
      ...ARGUMENTS,
      credentials: { ...ARGUMENTS.credentials, passphrase: '[secret]', password: '[secret]' },
    });
    const command = { sessionName: 'a', command: 'echo password=not-marked' };
    expect(withoutSecrets(TOOLS.ssh_exec.input, command)).toEqual(command);
  });
});

describe('arguments that nobody has checked', () => {
  it.each([
    ARGUMENTS,
    { credentials: JSON.stringify(ARGUMENTS.credentials) },
    { credentials: ['SECRET-1'] },
    { credentials: { password: { deep: 'SECRET-1' } } },
    { password: 'SECRET-1' },
    { host: 'tester:SECRET-1@127.0.0.1' },
    { hostname: 'ssh://tester:SECRET-1@127.0.0.1' },
    { Auth: { api_key: 'SECRET-1', list: [{ privateKey: 'SECRET-2' }] } },
  ])('lose their secrets: %j', (given) => {
    expect(JSON.stringify(maskUnchecked(schema, given))).not.toContain('SECRET');
  });

  it('keep what is no secret', () => {
    expect(maskUnchecked(schema, { name: 'a', port: 'x', more: { deep: [1, 'two'] } })).toEqual({
      name: 'a',
      port: 'x',
      more: { deep: [1, 'two'] },
    });
    expect(maskUnchecked(undefined, 'text')).toBe('text');
  });
});
