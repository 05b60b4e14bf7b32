// What waits in a session's shell: one line per command, above the prompt.
import { actorLabel } from '../../../src-shared/model/index.ts';
import type { CommandView, SessionView } from '../../../src-shared/model/index.ts';
import { counted, oneLine } from '../../format/text.ts';
import { mayOperate } from '../../state/app-store.ts';
import { commandsOf } from '../../state/commands-store.ts';
import { useApp, useCommands, usePatchbay } from '../../state/context.ts';
import { Button } from '../controls/button.tsx';

/** Lines that are shown; the rest is a number. */
const MOST = 3;

function Waiting({ command }: { readonly command: CommandView }) {
  const { link, attempt } = usePatchbay();
  const operator = useApp(mayOperate);
  const { sessionName, commandId } = command;
  return (
    <li>
      <span className="figures">waits</span>
      <span className={command.actor.kind === 'client' ? 'tone-agent' : 'tone-you'}>{actorLabel(command.actor)}</span>
      <span className="mono cut" title={command.command}>
        {oneLine(command.command)}
      </span>
      {operator && (
        <Button small onClick={() => attempt(link.call('command.cancel', { session: sessionName, commandId }))}>
          Take out
        </Button>
      )}
    </li>
  );
}

/** The lines; nothing when nothing waits. */
export function QueueStrip({ session }: { readonly session: SessionView }) {
  const all = useCommands((state) => state);
  if (session.queued === 0) return null;
  const waiting = commandsOf(all, session.name).filter(({ status }) => status === 'queued');
  const more = waiting.length - MOST;
  return (
    <ul className="queue-strip" aria-label={`Waiting on ${session.name}`}>
      {waiting.slice(0, MOST).map((command) => (
        <Waiting key={command.commandId} command={command} />
      ))}
      {more > 0 && <li>{counted(more, 'more command')} waiting</li>}
    </ul>
  );
}
