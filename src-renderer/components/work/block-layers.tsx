// What is drawn around the commands in the Commands pane: a bar and a tint behind each, who and how long beside it.
import { Octagon } from 'lucide-react';
import { actorLabel } from '../../../src-shared/model/index.ts';
import type { CommandView } from '../../../src-shared/model/index.ts';
import { outputText } from '../../commands/copying.ts';
import { byteCount } from '../../format/bytes.ts';
import { elapsed, outcome } from '../../format/exit.ts';
import { oneLine } from '../../format/text.ts';
import { clock, duration, moment } from '../../format/time.ts';
import { useApp, useCommands, useNow, usePatchbay } from '../../state/context.ts';
import { mayOperate } from '../../state/app-store.ts';
import type { CommandsLayout, PlacedBlock } from '../../terminal/commands-terminal.ts';
import { CopyButton } from '../controls/copy-button.tsx';

/** Columns beside a header line that the words at its right need. */
const META_COLUMNS = 36;
/** Pixels that stay free between two blocks when the words of one stand in the empty row above it. */
const BLOCK_GAP = 3;
/** Output from which its size is worth telling. */
const MANY_BYTES = 10_000;

function actorClass(command: CommandView | undefined): string {
  if (command?.actor.kind === 'person') return 'you';
  return command?.actor.kind === 'client' ? 'agent' : '';
}

/** A long command keeps its whole line; the words then stand in the empty row above, which becomes part of its block. */
function needsRowAbove(block: PlacedBlock, layout: CommandsLayout): boolean {
  return block.headerColumns > layout.columns - META_COLUMNS;
}

function failed(command: CommandView | undefined): boolean {
  return command !== undefined && outcome(command).tone === 'bad';
}

/** Behind the text: the bar at the left, and red where a command failed. */
export function BlockBacks({ layout }: { readonly layout: CommandsLayout }) {
  const byId = useCommands((state) => state.byId);
  return (
    <div className="block-backs" aria-hidden>
      {layout.blocks.map((block) => {
        const { commandId, top, height } = block;
        const command = byId.get(commandId);
        const more = needsRowAbove(block, layout) ? layout.rowHeight - BLOCK_GAP : 0;
        return (
          <div
            key={commandId}
            className={`block-back ${actorClass(command)}${failed(command) ? ' failed' : ''}`}
            style={{ top: top - more, height: height + more }}
          />
        );
      })}
    </div>
  );
}

function Duration({ command }: { readonly command: CommandView }) {
  const now = useNow();
  const ms = elapsed(command, now);
  if (ms === null) return null;
  return <span className="figures">{command.endedAt === null ? clock(ms) : duration(ms)}</span>;
}

function CancelButton({ command }: { readonly command: CommandView }) {
  const { attempt, link } = usePatchbay();
  const { sessionName, commandId } = command;
  return (
    <button
      type="button"
      className="button line tiny"
      title={`Cancel ${oneLine(command.command)}`}
      onClick={() => attempt(link.call('command.cancel', { session: sessionName, commandId }))}
    >
      <Octagon size={12} strokeWidth={1.6} aria-hidden />
      Cancel
    </button>
  );
}

/** Who, how long, how much, how it ended; and what can be done with it. */
function BlockMeta({ command }: { readonly command: CommandView }) {
  const patchbay = usePatchbay();
  const operator = useApp(mayOperate);
  const { word, tone } = outcome(command);
  const bytes = command.stdoutBytes + command.stderrBytes;
  return (
    <>
      <span className="block-tools">
        <CopyButton label="Copy command" text={() => command.command} />
        <CopyButton label="Copy output" text={() => outputText(patchbay, command)} />
      </span>
      <span className="actor" title={moment(command.startedAt ?? command.queuedAt)}>
        {actorLabel(command.actor)}
      </span>
      <Duration command={command} />
      {bytes >= MANY_BYTES && (
        <span className="figures" title={`${command.stdoutBytes} bytes on stdout, ${command.stderrBytes} on stderr`}>
          {byteCount(bytes)}
        </span>
      )}
      {command.shellRestarted && (
        <span className="tone-warn" title="The shell ended with this command; a new one took its place">
          new shell
        </span>
      )}
      <span className={`outcome tone-${tone}`}>
        {tone === 'live' && <span className="spinner" aria-hidden />}
        {word}
      </span>
      {operator && command.status === 'running' && <CancelButton command={command} />}
    </>
  );
}

function PlacedMeta({ block, layout }: { readonly block: PlacedBlock; readonly layout: CommandsLayout }) {
  const command = useCommands(({ byId }) => byId.get(block.commandId));
  if (command === undefined || block.headerColumns === 0) return null;
  const top = block.top - (needsRowAbove(block, layout) ? layout.rowHeight : 0);
  return (
    <div className="block-meta" style={{ top, height: layout.rowHeight }} data-command={block.commandId}>
      <BlockMeta command={command} />
    </div>
  );
}

/** Above the text: the words at the right of each header that is in sight. */
export function BlockFronts({ layout }: { readonly layout: CommandsLayout }) {
  return (
    <div className="block-fronts">
      {layout.blocks.map((block) => (
        <PlacedMeta key={block.commandId} block={block} layout={layout} />
      ))}
    </div>
  );
}

/** At the top, while the header of the command in sight is scrolled away. */
export function StickyHeader({ layout }: { readonly layout: CommandsLayout }) {
  const { sticky, rowHeight } = layout;
  const command = useCommands(({ byId }) => (sticky === null ? undefined : byId.get(sticky)));
  if (command === undefined) return null;
  return (
    // Whole rows, so that no row of output is cut in half.
    <div className={`sticky-header ${actorClass(command)}`} style={{ height: 2 * rowHeight }}>
      <span className="mono cut">
        {command.workingDir !== null && <span className="dim">{command.workingDir} </span>}
        <b>{oneLine(command.command)}</b>
      </span>
      <span className="block-meta inline">
        <BlockMeta command={command} />
      </span>
    </div>
  );
}
