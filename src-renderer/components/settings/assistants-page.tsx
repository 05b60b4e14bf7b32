// Settings, Assistants: the entries that clients need, and who is connected.
import { useEffect, useState } from 'react';
import type { ConnectedClient } from '../../../src-shared/model/index.ts';
import type { CallOutput } from '../../../src-shared/protocol/index.ts';
import { ago, moment } from '../../format/time.ts';
import { useApp, useNow, usePatchbay } from '../../state/context.ts';
import { CopyButton } from '../controls/copy-button.tsx';

function useEntry(): CallOutput<'clientEntry.get'> | null | 'failed' {
  const { link } = usePatchbay();
  const [entry, setEntry] = useState<CallOutput<'clientEntry.get'> | null | 'failed'>(null);
  useEffect(() => {
    link.call('clientEntry.get', {}).then(setEntry, () => setEntry('failed'));
  }, [link]);
  return entry;
}

interface EntryCardProps {
  readonly title: string;
  readonly letter: string;
  readonly where: string;
  readonly text: string;
  readonly copy: string;
  readonly connected: ConnectedClient | undefined;
}

function EntryCard({ title, letter, where, text, copy, connected }: EntryCardProps) {
  return (
    <section className="entry-card" aria-label={title}>
      <span className="entry-letter" aria-hidden>
        {letter}
      </span>
      <div>
        <h2>{title}</h2>
        {connected === undefined ? (
          <p className="help">{where}</p>
        ) : (
          <p className="help tone-ok">
            Connected: {connected.name} {connected.version}
          </p>
        )}
      </div>
      <CopyButton words label={copy} text={() => text} />
      <pre className="mono">{text}</pre>
    </section>
  );
}

function Clients() {
  const clients = useApp((app) => app.clients);
  const now = useNow();
  if (clients.length === 0) return <p className="help">No assistant is connected now.</p>;
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>Assistant</th>
          <th>Version</th>
          <th>Through</th>
          <th>Last seen</th>
        </tr>
      </thead>
      <tbody>
        {clients.map((client) => (
          <tr key={client.id}>
            <td className="tone-agent">{client.name}</td>
            <td className="figures">{client.version}</td>
            <td>{client.transport === 'stdio' ? 'bridge' : client.transport}</td>
            <td className="figures" title={moment(client.lastSeen)}>
              {ago(now - client.lastSeen)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The page. */
export function AssistantsPage() {
  const entry = useEntry();
  const clients = useApp((app) => app.clients);
  const named = (word: RegExp): ConnectedClient | undefined => clients.find(({ name }) => word.test(name));
  return (
    <>
      <h1>Assistants</h1>
      <p className="dim">
        An assistant reaches Patchbay through a small program, the bridge, that its client starts. Add one of these
        entries to the client, then start it again. Nothing is sent anywhere else.
      </p>
      {entry === null && <p className="help">Loading the entries</p>}
      {entry === 'failed' && <p className="help fault">The entries cannot be read now. Open this page again.</p>}
      {entry !== null && entry !== 'failed' && (
        <>
          <EntryCard
            title="Claude Desktop"
            letter="D"
            where="Settings, Developer, Edit config: put this into claude_desktop_config.json"
            text={entry.claudeDesktop}
            copy="Copy entry"
            connected={named(/claude-ai|claude desktop/i)}
          />
          <EntryCard
            title="Claude Code"
            letter="C"
            where="Put this into .mcp.json of a project, or into the user settings"
            text={entry.claudeCode}
            copy="Copy entry"
            connected={named(/claude.code/i)}
          />
        </>
      )}
      <h2>Connected now</h2>
      <Clients />
    </>
  );
}
