// Fifty sessions at once: nothing is mixed up, everything begins in time, and a long queue loses nothing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command, Session } from '../../../src-main/core/sessions/port.ts';
import type { TestCore } from '../../support/core.ts';
import { assistant, outputOf, person, runToEnd, startCore } from '../../support/core.ts';
import { startSshd } from '../../support/sshd.ts';
import type { TestSshd } from '../../support/sshd.ts';

const SESSIONS = 50;
const COMMANDS = 20;

let server: TestSshd;
let home: TestCore;
let sessions: readonly Session[] = [];

beforeAll(async () => {
  server = await startSshd({ config: ['MaxStartups 100'] });
  home = await startCore({ settings: { MAX_SESSIONS: SESSIONS } });
  const opened: Session[] = [];
  for (let index = 0; index < SESSIONS; index += 1) opened.push(await home.connect(`s-${index}`, server));
  sessions = opened;
}, 120_000);
afterAll(async () => {
  await home.close();
  await server.stop();
});

it('50 sessions run 20 commands each at once: every result is its own, in order', { timeout: 180_000 }, async () => {
  const runs = sessions.flatMap((session) =>
    Array.from({ length: COMMANDS }, (_, number) => {
      const text = `n=$((n+1)); echo "${session.name} ${number} $n"; echo "err ${session.name}" >&2; (exit ${number})`;
      return { session, number, command: session.run({ command: text, timeoutMs: 120_000 }, assistant) };
    }),
  );
  await Promise.all(runs.map(({ command }) => command.ended));
  for (const { session, number, command } of runs) {
    expect(command.view()).toMatchObject({ status: 'exited', exitCode: number });
    expect(await outputOf(command)).toEqual({
      stdout: `${session.name} ${number} ${number + 1}\n`,
      stderr: `err ${session.name}\n`,
    });
  }
});

it('a command begins within two seconds by the clock of the host, with all of them open', async () => {
  for (const session of [sessions[0], sessions[25], sessions[49]]) {
    if (session === undefined) throw new Error('a session is missing');
    const asked = Date.now();
    const { stdout } = await runToEnd(session, 'date +%s%3N');
    // The host is this machine.
    expect(Number(stdout) - asked).toBeLessThan(2000);
  }
});

it('of 200 queued commands half are cancelled, and the other half is right and in order', async () => {
  const [session] = sessions;
  if (session === undefined) throw new Error('no session');
  const holding = session.run({ command: 'order=; sleep 1', timeoutMs: 60_000 }, assistant);
  const queued: Command[] = Array.from({ length: 200 }, (_, number) =>
    session.run({ command: `order="$order ${number}"; echo ${number}`, timeoutMs: 60_000 }, assistant),
  );
  expect(queued.map((command) => command.view().queuePosition)).toEqual(queued.map((_, index) => index + 1));
  await Promise.all(queued.filter((_, number) => number % 2 === 1).map((command) => command.cancel('cancelled')));
  expect(queued[2]?.view().queuePosition).toBe(2);
  await holding.ended;
  await Promise.all(queued.map((command) => command.ended));
  for (const [number, command] of queued.entries()) {
    expect(command.view().status).toBe(number % 2 === 1 ? 'cancelled' : 'exited');
    if (number % 2 === 0) expect((await outputOf(command)).stdout).toBe(`${number}\n`);
    else expect(command.view()).toMatchObject({ startedAt: null, stdoutBytes: 0 });
  }
  const even = Array.from({ length: 100 }, (_, index) => ` ${index * 2}`).join('');
  expect((await runToEnd(session, 'echo "$order"')).stdout).toBe(`${even}\n`);
});

it('clients take turns in a queue: one that asks for much does not make another wait for all of it', async () => {
  const [, session] = sessions;
  if (session === undefined) throw new Error('no session');
  const other = { ...assistant, id: 'client-2', name: 'Other client' };
  const holding = session.run({ command: 'order=; sleep 1', timeoutMs: 60_000 }, assistant);
  const say = (word: string, actor: typeof assistant | typeof person) =>
    session.run({ command: `order="$order ${word}"`, timeoutMs: 60_000 }, actor);
  const all = [
    ...Array.from({ length: 6 }, (_, number) => say(`a${number}`, assistant)),
    ...Array.from({ length: 2 }, (_, number) => say(`b${number}`, other)),
    say('person', person),
  ];
  const positions = all.map((command) => command.view().queuePosition);
  expect([...positions].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await holding.ended;
  await Promise.all(all.map((command) => command.ended));
  expect((await runToEnd(session, 'echo "$order"')).stdout).toBe(' b0 person a0 b1 a1 a2 a3 a4 a5\n');
  const byPosition = positions
    .map((position, index) => ({ position, index }))
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  expect(byPosition.map(({ index }) => index)).toEqual([6, 8, 0, 7, 1, 2, 3, 4, 5]);
});
