// Settings, Monitor page: its address, the tokens that open it, and where it listens.
import { Eye, EyeOff, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../src-shared/protocol/index.ts';
import { useApp, usePatchbay } from '../../state/context.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { SchemaRows } from './schema-page.tsx';

type Tokens = CallOutput<'tokens.get'>;

function useTokens(): Tokens | null | 'failed' {
  const { link, stores } = usePatchbay();
  const [tokens, setTokens] = useState<Tokens | null | 'failed'>(null);
  useEffect(() => {
    const load = (): void => {
      link.call('tokens.get', {}).then(setTokens, () => setTokens('failed'));
    };
    load();
    return stores.tokensRenewed.on(load);
  }, [link, stores]);
  return tokens;
}

interface TokenRowProps {
  readonly label: string;
  readonly help: string;
  readonly token: string;
}

function TokenRow({ label, help, token }: TokenRowProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className="setting">
      <div className="setting-words">
        <b>{label}</b>
        <p className="help">{help}</p>
      </div>
      <div className="setting-value token">
        <code>{shown ? token : '•'.repeat(24)}</code>
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={shown ? `Hide the ${label.toLowerCase()}` : `Show the ${label.toLowerCase()}`}
          onClick={() => setShown(!shown)}
        />
        <CopyButton label={`Copy the ${label.toLowerCase()}`} text={() => token} />
      </div>
    </div>
  );
}

function TokenBox() {
  const { stores } = usePatchbay();
  const tokens = useTokens();
  if (tokens === null) return <p className="help">Loading tokens</p>;
  if (tokens === 'failed') return <p className="help fault">The tokens cannot be read now. Open this page again.</p>;
  return (
    <>
      <div className="settings-box">
        <TokenRow label="Viewer token" help="Lets a browser watch." token={tokens.viewer} />
        <TokenRow label="Operator token" help="Lets a browser take over, type and answer." token={tokens.operator} />
        <TokenRow label="MCP token" help="Bearer token for clients that use MCP over HTTP." token={tokens.mcp} />
      </div>
      <div>
        <Button kind="bad" icon={RotateCw} onClick={() => stores.ui.setState({ dialog: { kind: 'renew-tokens' } })}>
          Renew all tokens
        </Button>
      </div>
    </>
  );
}

/** The page. */
export function MonitorPage() {
  const { monitorUrl, mcpHttpUrl } = useApp((app) => app.endpoints);
  return (
    <>
      <h1>Monitor page</h1>
      <p className="dim">The same views in a browser. Without a token it shows nothing.</p>
      <div className="settings-box">
        {[
          { label: 'Address', url: monitorUrl },
          { label: 'MCP over HTTP', url: mcpHttpUrl },
        ].map(({ label, url }) => (
          <div className="setting" key={label}>
            <b className="setting-words">{label}</b>
            <div className="setting-value token">
              <code>{url}</code>
              <CopyButton label={`Copy ${label}`} text={() => url} />
            </div>
          </div>
        ))}
      </div>
      <h2>Tokens</h2>
      <TokenBox />
      <h2>Where it listens</h2>
      <SchemaRows sections={['monitor']} />
    </>
  );
}
