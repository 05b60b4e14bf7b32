import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src-renderer/connection/calls.ts';
import { createTyping } from '../../../src-renderer/terminal/typing.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function typist() {
  const sent: string[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const faults: unknown[] = [];
  const call: Call = (_name, input) => {
    sent.push(Buffer.from((input as { base64: string }).base64, 'base64').toString());
    return new Promise<never>((resolve, reject) => {
      answers.push({ resolve: () => resolve({} as never), reject });
    });
  };
  return { sent, answers, faults, type: createTyping(call, 's', (error) => faults.push(error)) };
}

describe('typing into a terminal', () => {
  it('keeps the order: what comes while a call is under way goes with the next', async () => {
    const { sent, answers, type } = typist();
    for (const key of ['l', 's', ' ', '-l', '\r']) type(Buffer.from(key));
    expect(sent).toEqual(['l']);
    answers[0]?.resolve();
    await settle();
    expect(sent).toEqual(['l', 's -l\r']);
  });

  it('sends a long paste in pieces that the protocol allows', async () => {
    const { sent, answers, type } = typist();
    type(Buffer.from('x'.repeat(1_200_000)));
    for (let index = 0; index < 3; index += 1) {
      answers[index]?.resolve();
      await settle();
    }
    expect(sent.map((piece) => piece.length)).toEqual([524_288, 524_288, 151_424]);
  });

  it('drops the rest when the gateway refuses, and says so', async () => {
    const { sent, answers, faults, type } = typist();
    type(Buffer.from('rm '));
    type(Buffer.from('-rf x\r'));
    answers[0]?.reject(new Error('no lease'));
    await settle();
    expect([sent, faults.length]).toEqual([['rm '], 1]);
  });
});
