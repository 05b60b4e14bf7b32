// Which requests may reach the local server at all.
import { describe, expect, it } from 'vitest';
import { isLoopbackName, parseTarget, refusalOf } from '../../src-main/gateway/origin.ts';

describe('Host', () => {
  it.each(['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '127.9.9.9', '[::1]:8080', 'localhost.:80'])(
    'FC45 lets %s in',
    (host) => expect(refusalOf({ host }, [])).toBeUndefined(),
  );

  it.each([
    'evil.example',
    'evil.example:8080',
    '10.0.0.1',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    'a b',
    '[::2]',
  ])('FC45 refuses "%s"', (host) => expect(refusalOf({ host }, [])).toBe('foreign host'));

  it('FC45 refuses a request without Host', () => {
    expect(refusalOf({}, [])).toBe('foreign host');
  });

  it('answers under a name that the person allowed, whatever its case, and under no name like it', () => {
    expect(refusalOf({ host: 'Lab.Example:443' }, ['lab.example'])).toBeUndefined();
    expect(refusalOf({ host: 'x.lab.example' }, ['lab.example'])).toBe('foreign host');
  });
});

describe('Origin', () => {
  const host = '127.0.0.1:8080';

  it.each([undefined, 'http://127.0.0.1:8080', 'https://127.0.0.1:8080'])('FC45 lets %s in', (origin) =>
    expect(refusalOf({ host, ...(origin === undefined ? {} : { origin }) }, [])).toBeUndefined(),
  );

  it.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1:9999',
    'http://localhost:8080',
    'http://127.0.0.1:8080.evil.example',
    'http://127.0.0.1:8080/path',
    'file://',
    '',
  ])('FC45 refuses "%s"', (origin) => expect(refusalOf({ host, origin }, [])).toBe('foreign origin'));
});

describe('the target of a request', () => {
  it('is a path', () => {
    expect(parseTarget('/session/web-1?x=1')?.pathname).toBe('/session/web-1');
  });

  it.each([undefined, '', '*', 'http://evil.example/', 'evil.example:443'])('is not %s', (target) => {
    expect(parseTarget(target)).toBeUndefined();
  });

  it('keeps a double slash a path', () => {
    expect(parseTarget('//evil.example/x')?.host).toBe('localhost');
  });
});

it('knows the names of this computer', () => {
  expect(['localhost', '127.0.0.1', '::1', '0.0.0.0', 'example'].map(isLoopbackName)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
