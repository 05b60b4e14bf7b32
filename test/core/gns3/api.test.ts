// Checks requests to the lab: which answer means which error, what is refused before anything is asked, TLS.
// Needs: openssl
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { systemClock } from '../../../src-main/core/clock.ts';
import { createApi, path as pathOf } from '../../../src-main/core/gns3/api.ts';
import type { Gns3Api } from '../../../src-main/core/gns3/api.ts';
import { exchange } from '../../../src-main/core/gns3/http.ts';
import { addressOf, labOfSettings } from '../../../src-main/core/gns3/lab-of-settings.ts';
import { loginTokens } from '../../../src-main/core/gns3/tokens.ts';
import { createSecretNet } from '../../../src-main/core/log/secret-net.ts';
import { appErrorOf } from '../../support/app-error.ts';
import { startLabController } from '../../support/lab-controller.ts';
import type { ControllerOptions, LabController, MadeUpAnswer } from '../../support/lab-controller.ts';
import {
  freePort,
  startAnswering,
  startClosing,
  startHangingPort,
  startServer,
  startSilentServer,
  startWebServer,
} from '../../support/net.ts';
import { run } from '../../support/run.ts';
import { defaultSettings } from '../../support/settings.ts';
import { tempFolder } from '../../support/temp.ts';

let controller: LabController | undefined;
afterEach(async () => {
  await controller?.close();
  controller = undefined;
});

async function apiOf(options: ControllerOptions): Promise<Gns3Api> {
  controller = await startLabController(options);
  const address = { base: controller.base };
  const { password } = controller;
  return createApi(
    address,
    loginTokens({ address, username: 'admin', password, clock: systemClock, secrets: createSecretNet() }),
  );
}

const answering = (answer: MadeUpAnswer): Promise<Gns3Api> => apiOf({ answer: () => answer });
const anything = z.unknown();
const TRACE = `\n\n  File "/usr/lib/python3/gns3server/links.py", line 149, in update_link\n    PUT /v3/x`;

describe('an answer of the server', () => {
  const FAULTS: readonly (readonly [string, MadeUpAnswer, object, string])[] = [
    ['401', { status: 401, body: { message: 'Not authenticated' } }, { code: 'GNS3_AUTH' }, 'GNS3: Not authenticated'],
    [
      '403 without a privilege',
      { status: 403, body: { message: 'Permission denied (privilege Node.Audit is required)' } },
      { code: 'GNS3_FORBIDDEN', details: { reason: 'privilege', privilege: 'Node.Audit' } },
      'GNS3: Permission denied (privilege Node.Audit is required)',
    ],
    [
      '403 on a closed project',
      { status: 403, body: { message: 'The project is not opened' } },
      { code: 'GNS3_CONFLICT', details: { reason: 'project-closed' } },
      'GNS3: The project is not opened',
    ],
    [
      '403 on a built-in template',
      { status: 403, body: { message: "Template 'x' cannot be deleted because it is built-in" } },
      { code: 'GNS3_FORBIDDEN', details: { reason: 'refused' } },
      "GNS3: Template 'x' cannot be deleted because it is built-in",
    ],
    [
      '404',
      { status: 404, body: { message: "Project ID x doesn't exist" } },
      { code: 'GNS3_NOT_FOUND' },
      "GNS3: Project ID x doesn't exist",
    ],
    [
      '404 on a route that it does not know',
      { status: 404, body: { detail: 'Not Found' } },
      { code: 'GNS3_FAULT', retry: 'no', details: { reason: 'no-such-route' } },
      'This GNS3 server does not know the request',
    ],
    [
      '405',
      { status: 405, body: { detail: 'Method Not Allowed' } },
      { code: 'GNS3_FAULT', details: { reason: 'no-such-route' } },
      'This GNS3 server does not know the request',
    ],
    [
      '408',
      { status: 408, body: { message: 'Timeout' } },
      { code: 'GNS3_FAULT', retry: 'same', details: { reason: 'compute-timeout' } },
      'GNS3: Timeout',
    ],
    [
      '409',
      { status: 409, body: { message: 'Port is already used' } },
      { code: 'GNS3_CONFLICT' },
      'GNS3: Port is already used',
    ],
    [
      '400',
      { status: 400, body: { message: 'docker needs an image' } },
      { code: 'INVALID_PARAMS' },
      'GNS3: docker needs an image',
    ],
    [
      '422 with a Python list in its message',
      {
        status: 422,
        body: {
          message: `2 validation errors:\n  {'type': 'missing', 'loc': ('body', 'name'), 'msg': 'Field required', 'input': {}}\n  {'type': 'enum', 'loc': ('body', 'nodes', 0, 'kind'), 'msg': "Input should be 'a' or 'b'", 'input': 'x'}${TRACE}`,
        },
      },
      { code: 'INVALID_PARAMS', details: { reason: 'refused-by-server' } },
      "GNS3: name: Field required; nodes.0.kind: Input should be 'a' or 'b'",
    ],
    [
      '422 with a place in the source',
      { status: 422, body: { message: `No good${TRACE}` } },
      { code: 'INVALID_PARAMS' },
      'GNS3: No good',
    ],
    [
      '500 in plain text',
      { status: 500, body: 'Internal Server Error' },
      { code: 'GNS3_FAULT' },
      'GNS3: Internal Server Error',
    ],
    [
      '502 as a page of a proxy',
      { status: 502, body: '<html>Bad gateway</html>' },
      { code: 'GNS3_UNAVAILABLE' },
      'The GNS3 server cannot be used',
    ],
  ];

  it.each(FAULTS)('with status %s is the error that it means', async (_name, answer, wanted, message) => {
    const api = await answering(answer);
    const error = await appErrorOf(api.read('/x', anything));
    expect(error).toMatchObject({ ...wanted, message });
    expect(error.details).toMatchObject({ status: answer.status, request: 'GET /v3/x' });
  });

  it('with the log of a whole process in it is cut', async () => {
    const api = await answering({ status: 409, body: { message: 'x'.repeat(9_000) } });
    const { message } = await appErrorOf(api.read('/x', anything));
    expect(message).toMatch(/^GNS3: x{600} \.\.\. \(9000 characters\)$/);
  });

  it.each([
    ['a page', '<html>'],
    ['JSON of another form', { projects: [] }],
  ])('that is %s in place of what was asked is a fault', async (_name, body) => {
    const api = await answering({ status: 200, body });
    expect(await appErrorOf(api.read('/x', z.array(anything)))).toMatchObject({
      code: 'GNS3_FAULT',
      details: { reason: 'unexpected-answer', request: '/x' },
    });
  });

  it('that redirects is followed on the same server only', async () => {
    const api = await apiOf({
      answer: ({ path: at }) =>
        at === '/v3/x/'
          ? { status: 200, body: 'true' }
          : { status: 307, headers: { location: 'http://elsewhere.invalid/v3/x/' } },
    });
    expect(await api.read('/x', z.boolean())).toBe(true);
  });
});

describe('a server that Patchbay cannot speak with', () => {
  it('of version 2.2 is named with its version', async () => {
    const api = await apiOf({ version: null, version2: '2.2.59' });
    const error = await appErrorOf(api.version());
    expect(error).toMatchObject({
      code: 'GNS3_UNAVAILABLE',
      retry: 'after-change',
      details: { reason: 'version', version: '2.2.59' },
    });
    expect(error.message).toMatch(/has version 2\.2\.59; Patchbay speaks with version 3$/);
    expect(controller?.logins).toBe(0);
  });

  it('is told from one that is no GNS3 server, which gets no password', async () => {
    const api = await apiOf({ version: null });
    expect(await appErrorOf(api.read('/x', anything))).toMatchObject({ details: { reason: 'not-gns3' } });
    expect(controller?.logins).toBe(0);
  });

  it('is asked again at the next call, so that an update needs no new start', async () => {
    const options: { version: string | null } = { version: null };
    const api = await apiOf(options);
    await appErrorOf(api.version());
    options.version = '3.1.0a2';
    expect(await api.version()).toEqual({ text: '3.1.0a2', major: 3, minor: 1 });
  });
});

describe('a request without an answer', () => {
  const ask = (base: string) =>
    appErrorOf(exchange({ base }, { method: 'GET', path: '/v3/version', silenceMs: 2_000, connectMs: 1_000 }));

  it('says that nothing listens', async () => {
    expect(await ask(`http://127.0.0.1:${await freePort()}`)).toMatchObject({
      code: 'GNS3_UNAVAILABLE',
      retry: 'same',
      details: { reason: 'refused' },
    });
  });

  it('says that the name is not known', async () => {
    expect(await ask('http://nowhere.invalid:3080')).toMatchObject({ details: { reason: 'unresolvable' } });
  });

  it.each([
    ['silence', startSilentServer, 'silence', 'http'],
    ['the end of the connection', startClosing, 'reset', 'http'],
    ['what is no HTTP', () => startAnswering('SSH-2.0-x\r\n'), 'not-http', 'http'],
    ['a port that does not accept', startHangingPort, 'timeout', 'http'],
    ['a server without TLS', startWebServer, 'tls', 'https'],
  ] as const)('says that it met %s', async (_name, start, reason, protocol) => {
    const server = await start();
    try {
      expect(await ask(`${protocol}://127.0.0.1:${server.port}`)).toMatchObject({
        code: 'GNS3_UNAVAILABLE',
        details: { reason },
      });
    } finally {
      await server.close();
    }
  });

  it('says that the answer was cut', async () => {
    const server = await startServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    });
    try {
      expect(await ask(`http://127.0.0.1:${server.port}`)).toMatchObject({ details: { reason: 'reset' } });
    } finally {
      await server.close();
    }
  });
});

describe('a server with a certificate of its own authority', () => {
  async function startTls(): Promise<{ base: string; ca: string; close: () => void }> {
    const folder = await tempFolder();
    const file = (name: string): string => path.join(folder, name);
    const subject = ['-subj', '/CN=lab of the test', '-addext', 'subjectAltName=IP:127.0.0.1'];
    await run('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      ...subject,
      '-keyout',
      file('key'),
      '-out',
      file('ca'),
    ]);
    const server = https.createServer(
      { key: fs.readFileSync(file('key')), cert: fs.readFileSync(file('ca')) },
      (_request, response) => response.end('{"version":"3.0.6"}'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an address with a port.
    const { port } = server.address() as AddressInfo;
    return { base: `https://127.0.0.1:${port}/`, ca: file('ca'), close: () => void server.close() };
  }

  it('is used with the authority of the settings and refused without', async () => {
    const { base, ca, close } = await startTls();
    const settings = { ...defaultSettings(), GNS3_URL: base };
    const without = await labOfSettings(settings, createSecretNet());
    expect(await appErrorOf(without?.api.version() ?? Promise.resolve())).toMatchObject({
      details: { reason: 'tls' },
      hint: expect.stringContaining('GNS3_CA_FILE') as string,
    });
    const lab = await labOfSettings({ ...settings, GNS3_CA_FILE: ca }, createSecretNet());
    expect(await lab?.api.version()).toMatchObject({ text: '3.0.6' });
    close();
  });

  it.each([
    ['a relative path', async () => 'ca.pem', /not an absolute path/],
    ['a file that is not there', async () => path.join(await tempFolder(), 'none.pem'), /no such file/],
    ['a file without a certificate', async () => import.meta.filename, /no certificate in PEM form/],
  ])('is not guessed: %s stops the start', async (_name, file, why) => {
    const settings = { ...defaultSettings(), GNS3_URL: 'https://lab.example', GNS3_CA_FILE: await file() };
    const error = await appErrorOf(labOfSettings(settings, createSecretNet()));
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.message).toMatch(why);
  });
});

describe('the address in the settings', () => {
  it.each([
    ['http://lab:3080', 'http://lab:3080'],
    ['http://lab:3080/', 'http://lab:3080'],
    ['https://lab.example/gns3/v3/', 'https://lab.example/gns3'],
    ['http://lab:3080/v2', 'http://lab:3080'],
  ])('%s is used as %s', async (given, base) => {
    expect(await addressOf({ ...defaultSettings(), GNS3_URL: given })).toEqual({ base });
  });

  it('that is empty means that there is no lab', async () => {
    expect(await labOfSettings(defaultSettings(), createSecretNet())).toBeUndefined();
  });

  it('keeps what callers put into paths in its place', () => {
    expect(pathOf`/projects/${'a/../b?c'}/nodes`).toBe('/projects/a%2F..%2Fb%3Fc/nodes');
  });
});
