// Who drives: take-over, hand-back and pause with commands that run and wait, on a real sshd.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Command, Session } from '../../../src-main/core/sessions/port.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, outputOf, person, startCore } from '../../support/core.ts';
import { waitFor } from '../../support/processes.ts';
import type { TestSshd } from '../../support/sshd.ts';
import { startSshd } from '../../support/sshd.ts';

let server: TestSshd;
let home: TestCore;
let session: Session;
beforeAll(async () => {
  server = await startSshd();
});
afterAll(() => server.stop());
beforeEach(async () => {
  home = await startCore();
  session = await home.connect('web-1', server);
});
afterEach(() => home.close());

const run = (command: string): Command => session.run({ command, timeoutMs: 60_000 }, assistant);
const status = (command: Command): string => command.view().status;

/** A command that runs until `touch` lets it end. */
async function gated(): Promise<{ readonly command: Command; open(): Promise<void> }> {
  const gate = `${server.account.home}/gate-${Math.random()}`;
  const command = run(`until [ -e ${gate} ]; do sleep 0.02; done; echo through`);
  await waitFor('the start', () => status(command) === 'running');
  const open = async (): Promise<void> => {
    const fs = await import('node:fs/promises');
    await fs.writeFile(gate, '');
    await command.ended;
  };
  return { command, open };
}

describe('take-over', () => {
  it('lets what runs go on, keeps what waits, refuses what is new; hand-back carries the note', async () => {
    const gate = await gated();
    const waiting = run('echo waited');
    session.lease.take(person);
    expect(session.view().lease.holder).toBe('person');
    expect(() => session.lease.useAsClient(assistant)).toThrow('has taken over');
    await gate.open();
    expect(status(gate.command)).toBe('exited');
    // The person's own command passes what is held.
    const own = session.run({ command: 'echo mine', timeoutMs: 60_000 }, person);
    await own.ended;
    expect((await outputOf(own)).stdout).toBe('mine\n');
    expect(status(waiting)).toBe('queued');
    session.lease.handBack(person, 'disk is full, use /data');
    await waiting.ended;
    expect((await outputOf(waiting)).stdout).toBe('waited\n');
    expect(session.takeNotices()).toEqual([
      'The person at the desk had taken over this session and has handed it back, with this note: disk is full, use /data',
    ]);
    expect(session.takeNotices()).toEqual([]);
    expect((await home.journal()).filter(({ type }) => type.startsWith('lease'))).toMatchObject([
      { type: 'lease.taken', actor: person, session: 'web-1' },
      { type: 'lease.returned', actor: person, note: 'disk is full, use /data' },
    ]);
  });

  it('cleans the note of what cannot be seen, for the assistant and for the journal', async () => {
    session.lease.take(person);
    session.lease.handBack(person, ' use \u202e/data\u001b[31m\u0007 now\u200b ');
    expect(session.takeNotices()).toEqual([
      'The person at the desk had taken over this session and has handed it back, with this note: use /data now',
    ]);
    expect((await home.journal()).findLast(({ type }) => type === 'lease.returned')).toMatchObject({
      note: 'use /data now',
    });
  });

  it('is told to the assistant also without a note', () => {
    session.lease.take(person);
    session.lease.handBack(person, ' ');
    expect(session.takeNotices()).toEqual([
      'The person at the desk had taken over this session and has handed it back.',
    ]);
  });
});

describe('pause', () => {
  it('keeps what waits and lets what runs go on; then all goes on', async () => {
    const gate = await gated();
    const waiting = run('echo waited');
    await home.core.pause.set('input', person);
    expect(session.view().lease.holder).toBe('paused');
    await gate.open();
    expect([status(gate.command), status(waiting)]).toEqual(['exited', 'queued']);
    await home.core.pause.set('off', person);
    await waiting.ended;
    expect(session.view().lease.holder).toBe('agent');
  });

  it('pressed twice cancels what runs and waits for assistants, in every session, and nothing of the person', async () => {
    const other = await home.connect('web-2', server);
    const theirs = other.run({ command: 'sleep 100', timeoutMs: 600_000 }, assistant);
    const own = session.run({ command: 'sleep 0.5; echo mine', timeoutMs: 60_000 }, person);
    const queued = run('echo never');
    await waitFor('both to run', () => status(theirs) === 'running' && status(own) === 'running');
    await home.core.pause.set('input', person);
    await home.core.pause.set('all', person);
    expect([status(theirs), status(queued)]).toEqual(['cancelled', 'cancelled']);
    await own.ended;
    expect(own.view().exitCode).toBe(0);
    expect((await home.journal()).filter(({ type }) => type === 'pause.changed')).toMatchObject([
      { state: 'input' },
      { state: 'all' },
    ]);
  });

  it('holds a session that is opened meanwhile, and one that is taken and handed back', async () => {
    await home.core.pause.set('input', person);
    const late = await home.connect('web-2', server);
    const waiting = late.run({ command: 'true', timeoutMs: 1000 }, assistant);
    late.lease.take(person);
    late.lease.handBack(person, '');
    expect(late.view().lease.holder).toBe('paused');
    expect(status(waiting)).toBe('queued');
    await home.core.pause.set('off', person);
    await waiting.ended;
  });
});
