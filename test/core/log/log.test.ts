// The log and the net under secrets.
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../../../src-main/core/log/logger.ts';
import { createSecretNet } from '../../../src-main/core/log/secret-net.ts';
import { tempFolder } from '../../support/temp.ts';

async function linesOf(folder: string, name = 'patchbay.log'): Promise<unknown[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

it('writes one JSON object a line, from its level on, to the file and to the echo', async () => {
  const folder = path.join(await tempFolder(), 'logs');
  const echoed: string[] = [];
  const log = await createLog({
    folder,
    level: 'info',
    secrets: createSecretNet(),
    echo: (line) => echoed.push(line),
  });
  log.debug('not this');
  log.info('connected', { host: 'web-1', port: 22 });
  log.warn('slow');
  log.error('failed', { error: new Error('no route'), big: 12n });
  await log.close();
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;
  expect(await linesOf(folder)).toEqual([
    { at, level: 'info', message: 'connected', host: 'web-1', port: 22 },
    { at, level: 'warn', message: 'slow' },
    { at, level: 'error', message: 'failed', error: { name: 'Error', message: 'no route' }, big: '12' },
  ]);
  expect(echoed.join('')).toBe(await readFile(path.join(folder, 'patchbay.log'), 'utf8'));
  expect((await stat(path.join(folder, 'patchbay.log'))).mode & 0o777).toBe(0o600);
});

it('begins a new file at the limit, keeps four old ones, and loses no line between them', async () => {
  const folder = await tempFolder();
  const log = await createLog({ folder, level: 'info', secrets: createSecretNet(), fileBytes: 500 });
  for (let number = 0; number < 40; number += 1) {
    log.info('line', { number });
    await log.flush();
  }
  await log.close();
  const names = (await readdir(folder)).toSorted();
  expect(names).toEqual(['patchbay.log', ...[1, 2, 3, 4].map((old) => `patchbay.log.${old}`)]);
  const all = (await Promise.all(names.map((name) => linesOf(folder, name)))).flat() as { number: number }[];
  const kept = all.map(({ number }) => number).toSorted((a, b) => a - b);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 40 - kept.length + index));
});

it('lets no character through that a terminal would obey or that reorders what is read', async () => {
  const folder = await tempFolder();
  const log = await createLog({ folder, level: 'info', secrets: createSecretNet() });
  const name = 'a\u009b31m\u202eb\u2028\u007f\u{e0041}c';
  log.info('client', { name });
  await log.close();
  const text = await readFile(path.join(folder, 'patchbay.log'), 'utf8');
  expect(text).toMatch(/"a\\u009b31m\\u202eb\\u2028\\u007f\\udb40\\udc41c"\}\n$/);
  expect(await linesOf(folder)).toMatchObject([{ name }]);
});

it('survives details that cannot be written as JSON', async () => {
  const folder = await tempFolder();
  const log = await createLog({ folder, level: 'info', secrets: createSecretNet() });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  log.info('round', circle);
  await log.close();
  expect(await linesOf(folder)).toMatchObject([{ message: 'round', details: 'not representable' }]);
});

it('keeps known secrets out of every line, in each form that they take', async () => {
  const folder = await tempFolder();
  const secrets = createSecretNet();
  const secret = 'tr"ick\\y p&ss wörd';
  secrets.learn(secret);
  const log = await createLog({ folder, level: 'debug', secrets });
  log.info(`plain ${secret}`, {
    value: secret,
    json: JSON.stringify({ secret }),
    url: `http://h/?p=${encodeURIComponent(secret)}`,
    base64: Buffer.from(secret).toString('base64'),
    error: new Error(`failed with ${secret}`),
  });
  await log.close();
  const text = await readFile(path.join(folder, 'patchbay.log'), 'utf8');
  expect(text).not.toContain('ick');
  expect(text).not.toContain('ss%20w');
  expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
  expect(text.match(/\[secret\]/g)).toHaveLength(6);
});

it('replaces the longer of two secrets as a whole, and leaves those below six characters alone', () => {
  const secrets = createSecretNet();
  for (const secret of ['secret', 'secret-and-more', 'abc']) secrets.learn(secret);
  expect(secrets.redact('secret-and-more secret abc')).toBe('[secret] [secret] abc');
});
