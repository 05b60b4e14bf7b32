// The first page that a person sees: three steps to the first session.
import { runCommand } from '../../commands/registry.ts';
import { mayOperate, mayOwn } from '../../state/app-store.ts';
import { useApp, usePatchbay } from '../../state/context.ts';
import { Button, CommandButton } from '../controls/button.tsx';
import { Brand } from '../controls/jack.tsx';
import type { ReactNode } from 'react';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly done: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, done, children }: StepProps) {
  return (
    <li className={done ? 'step done' : 'step'}>
      <span className="step-number" aria-hidden>
        {done ? '✓' : number}
      </span>
      <div>
        <h2>
          {title}
          {done && <span className="tone-ok"> done</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}

/** The page. */
export function FirstRun() {
  const patchbay = usePatchbay();
  const clients = useApp((app) => app.clients);
  const owner = useApp(mayOwn);
  const operator = useApp(mayOperate);
  const client = clients[0];
  return (
    <div className="first-run">
      <Brand size={36} />
      <h1>Nothing is plugged in yet</h1>
      <p className="dim">
        Assistants open SSH sessions through Patchbay. You see each one here, live, and can take over.
      </p>
      <ol>
        <Step number={1} title="Connect an assistant" done={client !== undefined}>
          <p>
            {client === undefined
              ? 'Add Patchbay to the settings of Claude Desktop, Claude Code or another MCP client.'
              : `${client.name} ${client.version} is connected.`}
          </p>
          {owner && client === undefined && (
            <Button kind="accent" onClick={() => runCommand(patchbay, 'assistants.show')}>
              Show the entry to add
            </Button>
          )}
        </Step>
        <Step number={2} title="Open a session" done={false}>
          <p>Ask the assistant to connect to a host, or connect to one yourself.</p>
          {operator && <CommandButton id="session.connect" withKey />}
        </Step>
        <Step number={3} title="Watch it work" done={false}>
          <p>
            Commands and output appear as they happen. <kbd>F8</kbd> takes over a session and hands it back.
          </p>
        </Step>
      </ol>
    </div>
  );
}
