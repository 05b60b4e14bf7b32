import { describe, expect, it } from 'vitest';
import { EMPTY_FORM, connectInput, faultsOf, nameOf } from '../../../src-renderer/components/dialogs/connect-form.ts';

const none: ReadonlySet<string> = new Set();
const form = (part: Partial<typeof EMPTY_FORM>) => ({ ...EMPTY_FORM, ...part });

describe('the form behind "Connect to a host"', () => {
  it.each([
    ['web-1.example.com', 'web-1'],
    ['203.0.113.10', '203-0-113-10'],
    ['2001:db8::17', '2001-db8-17'],
    ['my box!', 'my-box'],
  ])('names a session of %s %s', (host, name) => expect(nameOf(form({ host }), none)).toBe(name));

  it('counts on when the name is taken', () => {
    expect(nameOf(form({ host: 'web.example.com' }), new Set(['web', 'web-2']))).toBe('web-3');
  });

  it('says what is wrong with each field', () => {
    expect(Object.keys(faultsOf(form({ host: ' ', port: '0' }), none))).toEqual(['host', 'port']);
    expect(Object.keys(faultsOf(form({ host: 'a', name: 'no spaces' }), none))).toEqual(['name']);
    expect(faultsOf(form({ host: 'a', name: 'web' }), new Set(['web'])).name).toBe(
      'A session named web is open already.',
    );
    expect(Object.keys(faultsOf(form({ host: 'a', way: 'password' }), none))).toEqual(['password']);
    expect(Object.keys(faultsOf(form({ host: 'a', keyFile: '' }), none))).toEqual(['keyFile']);
    expect(faultsOf(form({ host: 'a', port: '2222' }), none)).toEqual({});
  });

  it('sends only what was filled in', () => {
    expect(connectInput(form({ host: 'a', way: 'config' }), none)).toEqual({ name: 'a', host: 'a' });
    expect(connectInput(form({ host: 'a', way: 'agent', username: 'me' }), none).credentials).toEqual({
      username: 'me',
      agent: true,
    });
    expect(connectInput(form({ host: 'a', port: '22', way: 'password', password: ' p ' }), none)).toEqual({
      name: 'a',
      host: 'a',
      port: 22,
      credentials: { password: ' p ' },
    });
    expect(connectInput(form({ host: 'a', keyFile: '~/k', passphrase: 'x' }), none).credentials).toEqual({
      keyFile: '~/k',
      passphrase: 'x',
    });
  });
});
