// Checks how the token of the lab is got, kept, renewed and given up.
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src-main/core/clock.ts';
import { createApi } from '../../../src-main/core/gns3/api.ts';
import { expiryOf } from '../../../src-main/core/gns3/jwt.ts';
import { projectSchema } from '../../../src-main/core/gns3/records.ts';
import { givenToken, loginTokens } from '../../../src-main/core/gns3/tokens.ts';
import { createSecretNet } from '../../../src-main/core/log/secret-net.ts';
import { appErrorOf } from '../../support/app-error.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { labAt } from '../../support/lab.ts';
import { startLabController } from '../../support/lab-controller.ts';
import type { ControllerOptions, LabController } from '../../support/lab-controller.ts';
import { waitFor } from '../../support/processes.ts';

const PROJECT = '22222222-2222-4222-8222-222222222222';
const NODE = '11111111-1111-4111-8111-111111111111';
let controller: LabController | undefined;

async function start(options: ControllerOptions): Promise<LabController> {
  controller = await startLabController(options);
  return controller;
}
afterEach(async () => {
  await controller?.close();
  controller = undefined;
});

/** A controller with one project and one node, whose console has another port after each start. */
function movingLab(): NonNullable<ControllerOptions['answer']> {
  const node = { node_id: NODE, name: 'R1', node_type: 'qemu', status: 'stopped', console: 5000 };
  const record = () => ({ ...node, console_host: '0.0.0.0', console_type: 'telnet' });
  return ({ method, path }) => {
    if (path === '/v3/projects') return { status: 200, body: [{ project_id: PROJECT, name: 'lab', status: 'opened' }] };
    if (path === `/v3/projects/${PROJECT}/nodes`) return { status: 200, body: [record()] };
    if (method === 'GET' && path.endsWith(`/nodes/${NODE}`)) return { status: 200, body: record() };
    if (path.endsWith('/start')) Object.assign(node, { status: 'started', console: node.console + 1 });
    else if (path.endsWith('/stop')) node.status = 'stopped';
    else return undefined;
    return { status: 204 };
  };
}

const token = (claims: object): string =>
  ['{"alg":"HS256"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

describe('a login', () => {
  it('FC52 is made again once when the token has expired, however many calls wait for it', async () => {
    const { base, password } = await start({ tokenMs: 300, answer: movingLab() });
    const lab = labAt(base, password);
    await lab.projects.list();
    expect(controller?.logins).toBe(1);
    controller?.forgetTokens();
    const lists = await Promise.all(Array.from({ length: 5 }, () => lab.nodes.list(PROJECT)));
    expect(lists.map(({ value }) => value.map(({ name }) => name))).toEqual(Array(5).fill(['R1']));
    expect(controller?.logins).toBe(2);
  });

  it('FC52 is made again when the token expires by itself', async () => {
    const { base, password } = await start({ tokenMs: 300, answer: movingLab() });
    const lab = labAt(base, password);
    await waitFor(
      'a second login',
      async () => (await lab.projects.list()).length === 1 && (controller?.logins ?? 0) > 1,
      20_000,
    );
  });

  it('FC52 with a wrong password is not tried again, by five calls or by the next one', async () => {
    const { base } = await start({ answer: movingLab() });
    const lab = labAt(base, 'wrong-password');
    const errors = await Promise.all(Array.from({ length: 5 }, () => appErrorOf(lab.projects.list())));
    expect(errors.map(({ code, details }) => [code, details['reason']])).toEqual(
      Array(5).fill(['GNS3_AUTH', 'login-refused']),
    );
    expect(await appErrorOf(lab.projects.list())).toMatchObject({ code: 'GNS3_AUTH' });
    expect(controller?.logins).toBe(1);
  });

  it('is tried again after half a minute, when the password may have been set right', async () => {
    const { base } = await start({});
    const clock = createFakeClock();
    const address = { base };
    const tokens = loginTokens({ address, username: 'admin', password: 'wrong', clock, secrets: createSecretNet() });
    await appErrorOf(tokens.token());
    clock.advance(29_999);
    await appErrorOf(tokens.token());
    expect(controller?.logins).toBe(1);
    clock.advance(1);
    await appErrorOf(tokens.token());
    expect(controller?.logins).toBe(2);
  });

  it('without a password is refused without asking anybody', async () => {
    const { base } = await start({});
    expect(await appErrorOf(labAt(base, '').projects.list())).toMatchObject({ details: { reason: 'no-password' } });
    expect(controller?.logins).toBe(0);
  });

  it('teaches the second net its token', async () => {
    const { base, password } = await start({});
    const secrets = createSecretNet();
    const address = { base };
    const got = await loginTokens({ address, username: 'admin', password, clock: systemClock, secrets }).token();
    expect(secrets.redact(`a ${got} b`)).not.toContain(got);
  });

  it('whose token is refused at once is not repeated for ever', async () => {
    const { base, password } = await start({ version: '3.0.6', answer: () => ({ status: 401, body: '<html>' }) });
    // Each new token is refused as well: one renewal, then the refusal is told.
    expect(await appErrorOf(labAt(base, password).projects.list())).toMatchObject({
      code: 'GNS3_AUTH',
      details: { status: 401 },
    });
    expect(controller?.logins).toBe(2);
  });
});

describe('the console of a node', () => {
  it('FC52 is looked up each time, and a host of 0.0.0.0 means the controller', async () => {
    const { base, password } = await start({ answer: movingLab() });
    const lab = labAt(base, password);
    const before = await lab.consoleInfo('lab', 'R1');
    expect(before).toMatchObject({ console: 5000, console_host: '127.0.0.1', status: 'stopped', live: false });
    await lab.power('start', 'lab', 'R1');
    await lab.power('stop', 'lab', 'R1');
    expect(await lab.consoleInfo('lab', 'R1')).toMatchObject({ console: 5001, console_host: '127.0.0.1' });
  });
});

describe('a token that was given', () => {
  it('counts until it expires, also where the server does not look', async () => {
    const clock = createFakeClock();
    const expiresAt = clock.now() + 60_000;
    const tokens = givenToken(token({ exp: expiresAt / 1000 }), clock);
    expect(await tokens.token()).toContain('.');
    clock.advance(60_000);
    const error = await appErrorOf(tokens.token());
    expect(error).toMatchObject({ code: 'GNS3_AUTH', details: { reason: 'expired' } });
    expect(error.message).toContain(new Date(expiresAt).toISOString());
  });

  it('is not renewed when the server refuses it', async () => {
    const { base } = await start({});
    const api = createApi({ base }, givenToken('opaque', systemClock));
    expect(await appErrorOf(api.read('/projects/x', projectSchema))).toMatchObject({
      code: 'GNS3_AUTH',
      details: { reason: 'token-refused' },
    });
    expect(controller?.logins).toBe(0);
  });

  it.each([
    ['one that expires', token({ exp: 100 }), 100_000],
    ['one without an expiry', token({ sub: 'admin' }), undefined],
    ['an opaque one', 'gns3_1234_abcd', undefined],
    ['one with a broken payload', 'a.%%%.c', undefined],
    ['an expiry that is no number', token({ exp: 'soon' }), undefined],
  ])('tells the expiry of %s', (_name, text, wanted) => {
    expect(expiryOf(text)).toBe(wanted);
  });
});
