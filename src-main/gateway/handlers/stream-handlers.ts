// Calls by which a view opens, acknowledges and closes streams.
import { appError } from '../../../src-shared/errors.ts';
import type { CallOutput } from '../../../src-shared/protocol/index.ts';
import type { Session } from '../../core/sessions/port.ts';
import type { Handlers } from '../dispatch.ts';
import { COMMANDS_PACE, TERMINAL_PACE, ViewStream, lineStart } from '../stream.ts';
import type { Drawing, StreamOptions } from '../stream.ts';
import type { View } from '../view.ts';

/** Handlers by call. */
export const streamHandlers = {
  'stream.open': async (view, { session, lane, fromOffset }) => {
    const target = view.core.sessions.get(session);
    const id = view.nextStreamId();
    const opened =
      lane === 'commands'
        ? await openCommands(view, target, id, fromOffset)
        : await openTerminal(view, target, id, fromOffset);
    if (view.closed) throw appError('SESSION_LOST', { message: 'The view has gone' });
    view.streams.set(id, opened.stream);
    // After the answer, which is sent in this turn: a view must know the stream before its first frame.
    setImmediate(opened.begin);
    return opened.answer;
  },
  'stream.ack': (view, { streamId, offset }) => {
    // A stream that ended a moment ago is acknowledged late; there is nothing to do then.
    view.streams.get(streamId)?.ack(offset);
    return {};
  },
  'stream.close': (view, { streamId }) => {
    view.streams.get(streamId)?.close();
    view.streams.delete(streamId);
    return {};
  },
} satisfies Partial<Handlers>;

interface Opened {
  readonly stream: ViewStream;
  readonly begin: () => void;
  readonly answer: CallOutput<'stream.open'>;
}

async function openCommands(view: View, session: Session, id: number, fromOffset = 0): Promise<Opened> {
  const source = session.transcript;
  const wanted = Math.min(fromOffset, source.length);
  const earliest = Math.max(source.length - COMMANDS_PACE.history, source.start ?? 0);
  const offset = wanted >= earliest ? wanted : await lineStart(source, earliest);
  const stream = new ViewStream({ ...reports(view, id), source, pace: COMMANDS_PACE, snapshot: null }, offset);
  return {
    stream,
    begin: () => {
      if (offset > wanted) view.sendEvent('stream.skipped', { streamId: id, offset, bytes: offset - wanted });
      stream.start(null);
    },
    answer: { streamId: id, offset, mark: session.transcriptMark, ...sizeOf(session) },
  };
}

async function openTerminal(view: View, session: Session, id: number, fromOffset = -1): Promise<Opened> {
  const source = session.terminal.stream;
  const snapshot = () => session.terminal.snapshot();
  // A view that comes back and missed little gets just that; everybody else gets a drawing.
  const oldest = Math.max(source.length - TERMINAL_PACE.history, source.start ?? 0);
  const goesOn = fromOffset >= oldest && fromOffset <= source.length;
  const drawing: Drawing | null = goesOn ? null : await snapshot();
  const offset = drawing?.offset ?? fromOffset;
  const stream = new ViewStream({ ...reports(view, id), source, pace: TERMINAL_PACE, snapshot }, offset);
  return {
    stream,
    begin: () => stream.start(drawing),
    answer: { streamId: id, offset, mark: '', ...sizeOf(session) },
  };
}

function reports(view: View, id: number): Pick<StreamOptions, 'id' | 'send' | 'skipped' | 'ended' | 'failed'> {
  const ended = () => {
    view.streams.delete(id);
    view.sendEvent('stream.ended', { streamId: id });
  };
  return {
    id,
    send: (frame) => view.sendFrame(frame),
    skipped: (offset, bytes) => view.sendEvent('stream.skipped', { streamId: id, offset, bytes }),
    ended,
    failed: (error) => {
      view.log.error('a stream to a view failed', { view: view.id, streamId: id, error });
      ended();
    },
  };
}

function sizeOf({ terminal }: Session): { readonly cols: number; readonly rows: number } {
  return { cols: terminal.cols, rows: terminal.rows };
}
