// A network and file world of the suite's own, to run a small program in: unreachable networks, own /etc/hosts.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundleProgram } from '../../scripts/build/bundles.mjs';
import type { RunResult } from './run.ts';
import { run } from './run.ts';

/** Needs root: namespaces cannot be made without. */
export const hasNamespaces = process.getuid?.() === 0 && process.platform === 'linux';

/** Address that is swallowed: packets go to a device that sends nothing on. */
export const SWALLOWED = '192.0.2.10';
/** Address without a route. */
export const UNREACHABLE = '198.51.100.10';

export interface Probe {
  /** Runs the program with these arguments in a new network namespace with the two addresses above. */
  inNetwork(args: readonly string[]): Promise<RunResult>;
  /** Runs it with lines of ours in front of /etc/hosts. */
  withHosts(hosts: string, args: readonly string[]): Promise<RunResult>;
  close(): void;
}

/** Bundles a TypeScript source (absolute path of the entry file) so that plain Node can run it elsewhere. */
export async function makeProbe(entry: string): Promise<Probe> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patchbay-probe-'));
  const outfile = path.join(folder, 'probe.mjs');
  await bundleProgram({ entry, outfile });
  const node = [process.execPath, outfile];
  const inside = (flags: readonly string[], setUp: string, args: readonly string[]): Promise<RunResult> =>
    run('unshare', [...flags, 'sh', '-ec', `${setUp}\nexec "$@"`, 'sh', ...node, ...args], { codes: [0, 1] });
  return {
    inNetwork: (args) =>
      inside(
        ['-n'],
        [
          'ip link set lo up',
          // One end of a cable whose other end nobody looks at; the fixed neighbour spares the question who it is.
          'ip link add sink type veth peer name nowhere',
          'ip addr add 192.0.2.1/24 dev sink',
          'ip link set sink up',
          'ip link set nowhere up',
          `ip neigh add ${SWALLOWED} lladdr 02:00:00:00:00:01 dev sink`,
          'ip route add unreachable 198.51.100.0/24',
        ].join('\n'),
        args,
      ),
    withHosts: (hosts, args) => {
      const file = path.join(folder, 'hosts');
      fs.writeFileSync(file, `${hosts}\n${fs.readFileSync('/etc/hosts', 'utf8')}`);
      return inside(['-m', '--propagation', 'private'], `mount --bind '${file}' /etc/hosts`, args);
    },
    close: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
