// The Commands pane: the transcript of a session's shell, with a frame around each command.
import { ArrowDown } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { SessionView } from '../../../src-shared/model/index.ts';
import { useLink, usePatchbay, useUi } from '../../state/context.ts';
import { withCommands } from '../../state/commands-store.ts';
import type { CommandsLayout, CommandsTerminal } from '../../terminal/commands-terminal.ts';
import { BlockBacks, BlockFronts, StickyHeader } from './block-layers.tsx';
import { FindBar } from './find-bar.tsx';
import { PromptLine } from './prompt-line.tsx';
import { QueueStrip } from './queue-strip.tsx';
import { useCommandsTerminal } from './use-commands-terminal.ts';

/** Asks for the commands that were before this view came, again after each loss of the line. */
function useCommandList(session: string): void {
  const { link, stores, attempt } = usePatchbay();
  const online = useLink(({ phase }) => phase.kind === 'online');
  useEffect(() => {
    if (!online) return;
    attempt(
      link
        .call('command.list', { session })
        .then(({ commands }) => stores.commands.setState((state) => withCommands(state, commands))),
    );
  }, [online, session, link, stores, attempt]);
}

function EmptyPane({ session, layout }: { readonly session: SessionView; readonly layout: CommandsLayout | null }) {
  const state = layout?.state ?? 'loading';
  if (state !== 'failed' && layout?.empty === false) return null;
  if (state === 'loading') return <p className="pane-note">Loading what {session.name} has done so far</p>;
  if (state === 'failed') {
    return <p className="pane-note">The output of {session.name} cannot be shown. Reload this view to try again.</p>;
  }
  return (
    <div className="pane-note">
      <b>No command has run yet</b>
      <p>
        What an assistant runs on {session.name} appears here live: the command, its output, how it ended and who ran
        it.
      </p>
    </div>
  );
}

function News({ layout, terminal }: { readonly layout: CommandsLayout; readonly terminal: CommandsTerminal }) {
  if (layout.atBottom) return null;
  return (
    <button type="button" className="news" onClick={() => terminal.scrollToBottom()}>
      <ArrowDown size={14} strokeWidth={1.6} aria-hidden />
      {layout.news > 0 ? `${layout.news} new` : 'Latest output'}
    </button>
  );
}

/** Goes to the command that the palette named, as soon as it is drawn. */
function useScrollTo(terminal: CommandsTerminal, layout: CommandsLayout): void {
  const { stores } = usePatchbay();
  const target = useUi((ui) => ui.scrollTo);
  useEffect(() => {
    if (target !== null && terminal.scrollToCommand(target)) stores.ui.setState({ scrollTo: null });
  }, [target, terminal, layout, stores]);
}

function Around({ terminal }: { readonly terminal: CommandsTerminal }) {
  const layout = useStore(terminal.layout);
  const finding = useUi((ui) => ui.findOpen);
  useScrollTo(terminal, layout);
  return (
    <>
      <BlockFronts layout={layout} />
      <StickyHeader layout={layout} />
      {finding && <FindBar terminal={terminal} matches={layout.matches} />}
      <News layout={layout} terminal={terminal} />
    </>
  );
}

function Behind({ terminal }: { readonly terminal: CommandsTerminal }) {
  return <BlockBacks layout={useStore(terminal.layout)} />;
}

function Note({ terminal, session }: { readonly terminal: CommandsTerminal; readonly session: SessionView }) {
  return <EmptyPane session={session} layout={useStore(terminal.layout)} />;
}

/** The pane. */
export function CommandsPane({ session }: { readonly session: SessionView }) {
  const patchbay = usePatchbay();
  const { host, terminal } = useCommandsTerminal(patchbay, session.name);
  useCommandList(session.name);
  return (
    <>
      <div className="commands-pane">
        {terminal !== null && <Behind terminal={terminal} />}
        <div className="terminal-host" ref={host} />
        {terminal !== null && <Around terminal={terminal} />}
        {terminal === null ? (
          <EmptyPane session={session} layout={null} />
        ) : (
          <Note terminal={terminal} session={session} />
        )}
      </div>
      <QueueStrip session={session} />
      <PromptLine session={session} />
    </>
  );
}
