// The small program that MCP clients start: their stdin and stdout on one side, the running Patchbay on the other.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLink } from './app-link.ts';
import { serveClient } from './client-side.ts';
import type { ClientSide, ProgramPorts } from './client-side.ts';
import { AppFinder } from './finder.ts';
import type { BridgeFacts } from './programs.ts';
import { Relay } from './relay.ts';
import { createUrlRelay } from './url/url-relay.ts';

/** How often it is looked whether the app came back by itself, and whether it still lives. */
const LOOK_MS = 1_000;

const facts: BridgeFacts = {
  execPath: process.execPath,
  isElectron: process.versions['electron'] !== undefined,
  outDir: path.dirname(fileURLToPath(import.meta.url)),
  environment: process.env,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
};

const args = process.argv.slice(2);
serveClient(args.length > 0 ? (ports) => createUrlRelay(args, ports) : relayToApp);

function relayToApp(ports: ProgramPorts): ClientSide {
  const finder = new AppFinder(facts, Math.round(performance.timeOrigin));
  const relay = new Relay({
    ...ports,
    reach: () => finder.reach(),
    look: () => finder.look(),
    wasQuit: () => finder.wasQuit(),
    open: openLink,
  });
  setInterval(() => {
    relay.tick();
    void relay.reconnect();
  }, LOOK_MS);
  void relay.connect();
  return relay;
}
