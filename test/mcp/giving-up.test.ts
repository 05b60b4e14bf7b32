// Checks how the reasons are read for which a client no longer waits.
import { describe, expect, it } from 'vitest';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { STREAM_CLOSED, givingUp, stopSignal } from '../../src-main/mcp/giving-up.ts';

const withoutReason = (): unknown => {
  const abort = new AbortController();
  abort.abort();
  return abort.signal.reason;
};

describe('a client that no longer waits', () => {
  it.each(['the user pressed stop', 'AbortError: This operation was aborted', '', withoutReason()])(
    'wants the work stopped when it says %s',
    (reason) => expect(givingUp(reason)).toBe('stop'),
  );

  it.each([
    'MCP error -32001: Request timed out',
    'Request timed out',
    'SdkError: Request timeout',
    'McpError: MCP error -32001: Maximum total timeout exceeded',
    STREAM_CLOSED,
    new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'),
  ])('is only gone when the reason is %s', (reason) => expect(givingUp(reason)).toBe('leave'));
});

describe('the signal for work that cannot be left alone', () => {
  it('fires only for a client that wants it stopped', () => {
    const leaving = new AbortController();
    const left = stopSignal(leaving.signal);
    leaving.abort('MCP error -32001: Request timed out');
    expect(left.aborted).toBe(false);
    const stopping = new AbortController();
    const stopped = stopSignal(stopping.signal);
    stopping.abort('no longer needed');
    expect(stopped).toMatchObject({ aborted: true, reason: 'no longer needed' });
    expect(stopSignal(stopping.signal).aborted).toBe(true);
  });
});
