// The bar at the bottom: endpoints, assistants, sessions, monitor address.
import type { ConnectedClient } from '../../../src-shared/model/index.ts';
import { runCommand } from '../../commands/registry.ts';
import { counted } from '../../format/text.ts';
import { useApp, useLink, usePatchbay, useSessions } from '../../state/context.ts';

const clientLine = (client: ConnectedClient): string => `${client.name} ${client.version} (${client.transport})`;

function Assistants() {
  const clients = useApp((app) => app.clients);
  const only = useApp((app) => app.onlySession !== null);
  const patchbay = usePatchbay();
  // A view of one session is not told who is connected.
  if (only) return null;
  const words = clients.length === 0 ? 'No assistant connected' : `${counted(clients.length, 'assistant')} connected`;
  return (
    <button
      type="button"
      className="status-button"
      title={clients.length === 0 ? 'Connect an assistant in Settings' : clients.map(clientLine).join('\n')}
      onClick={() => runCommand(patchbay, 'assistants.show')}
    >
      {words}
    </button>
  );
}

function SessionCount() {
  const total = useSessions(({ byName }) => byName.size);
  const driven = useSessions(({ byName }) => [...byName.values()].filter((one) => one.lease.holder === 'agent').length);
  return (
    <span className="wide-only">
      {counted(total, 'session')}
      {driven > 0 && `, ${driven} driven by assistants`}
    </span>
  );
}

/** The bar. */
export function StatusBar() {
  const patchbay = usePatchbay();
  const endpoints = useApp((app) => app.endpoints);
  const role = useApp((app) => app.role);
  const pause = useApp((app) => app.pause);
  const online = useLink(({ phase }) => phase.kind === 'online');
  const ready = online && endpoints.mcpTcpPort > 0;
  const word = pause === 'off' ? (ready ? 'MCP ready' : 'MCP not reachable') : 'MCP paused';
  return (
    <footer className="status-bar">
      <span title={ready ? `TCP port ${endpoints.mcpTcpPort}\n${endpoints.mcpHttpUrl}` : undefined}>
        <span className={`lamp ${ready && pause === 'off' ? 'ok' : 'warn'}`} aria-hidden /> {word}
      </span>
      <Assistants />
      <SessionCount />
      <span className="right">
        {role === 'viewer' && <span title="This page was opened without the operator token">Watching only</span>}
        {endpoints.monitorUrl !== '' && (
          <button
            type="button"
            className="status-button mono"
            title="Copy the monitor address"
            onClick={() => runCommand(patchbay, 'monitor.copy')}
          >
            {endpoints.monitorUrl}
          </button>
        )}
      </span>
    </footer>
  );
}
