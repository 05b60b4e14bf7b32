// The entry for MCP clients: absolute, without a bare node, looking into the same data folder.
import { expect, it } from 'vitest';
import { clientEntry } from '../../../src-main/core/config/client-entry.ts';

it('names the running Node and the bridge beside the program', () => {
  const facts = { execPath: '/opt/node/bin/node', isElectron: false, outDir: '/srv/patchbay/out', environment: {} };
  expect(JSON.parse(clientEntry(facts, 'claude-desktop'))).toEqual({
    mcpServers: { patchbay: { command: '/opt/node/bin/node', args: ['/srv/patchbay/out/bridge.js'] } },
  });
});

it('tells the installed app to run the bridge inside it as plain Node', () => {
  const facts = {
    execPath: '/opt/Patchbay/patchbay',
    isElectron: true,
    outDir: '/opt/Patchbay/resources/app.asar/out',
    environment: {},
  };
  expect(JSON.parse(clientEntry(facts, 'claude-code'))).toEqual({
    mcpServers: {
      patchbay: {
        type: 'stdio',
        command: '/opt/Patchbay/patchbay',
        args: ['/opt/Patchbay/resources/app.asar/out/bridge.js'],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
    },
  });
});

it('names Node where Electron runs from a clone, for the window and the terminal alike', () => {
  const place = { outDir: '/srv/patchbay/out', environment: {}, node: '/opt/node/bin/node' };
  const shown = clientEntry({ ...place, execPath: '/home/ann/.cache/electron', isElectron: true }, 'claude-code');
  const printed = clientEntry({ ...place, execPath: '/opt/node/bin/node', isElectron: false }, 'claude-code');
  expect(shown).toBe(printed);
  expect(JSON.parse(shown)).toEqual({
    mcpServers: { patchbay: { type: 'stdio', command: '/opt/node/bin/node', args: ['/srv/patchbay/out/bridge.js'] } },
  });
  const bare = clientEntry({ ...place, node: undefined, execPath: '/e', isElectron: true }, 'claude-desktop');
  expect(JSON.parse(bare)).toMatchObject({
    mcpServers: { patchbay: { command: '/e', env: { ELECTRON_RUN_AS_NODE: '1' } } },
  });
});

it('names the installed app also where there is a Node', () => {
  const outDir = '/opt/Patchbay/resources/app.asar/out';
  const facts = {
    execPath: '/opt/Patchbay/patchbay',
    isElectron: true,
    node: '/usr/bin/node',
    outDir,
    environment: {},
  };
  expect(JSON.parse(clientEntry(facts, 'claude-desktop'))).toMatchObject({
    mcpServers: { patchbay: { command: '/opt/Patchbay/patchbay' } },
  });
});

it('carries the places that are not the usual ones, and nothing else of the environment', () => {
  const environment = { PATCHBAY_DATA_DIR: '/srv/pb', PATCHBAY_CONFIG: '', WEB_PORT: '9000', SECRET: 'x' };
  const facts = { execPath: '/usr/bin/node', isElectron: false, outDir: '/o', environment };
  expect(JSON.parse(clientEntry(facts, 'claude-desktop'))).toMatchObject({
    mcpServers: { patchbay: { env: { PATCHBAY_DATA_DIR: '/srv/pb' } } },
  });
});

it('names the data folder where only XDG_DATA_HOME moves it, for clients do not pass that on', () => {
  const place = { execPath: '/usr/bin/node', isElectron: false, outDir: '/o' };
  const entry = (environment: Record<string, string>): unknown =>
    JSON.parse(clientEntry({ ...place, environment }, 'claude-desktop'));
  expect(entry({ HOME: '/home/ann', XDG_DATA_HOME: '/srv/data', XDG_CACHE_HOME: '/srv/cache' })).toEqual({
    mcpServers: {
      patchbay: { command: '/usr/bin/node', args: ['/o/bridge.js'], env: { PATCHBAY_DATA_DIR: '/srv/data/patchbay' } },
    },
  });
  expect(entry({ HOME: '/home/ann', XDG_DATA_HOME: '/home/ann/.local/share' })).toEqual({
    mcpServers: { patchbay: { command: '/usr/bin/node', args: ['/o/bridge.js'] } },
  });
});
