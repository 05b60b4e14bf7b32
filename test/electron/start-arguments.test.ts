// What the app understands of its command line.
import { expect, it } from 'vitest';
import { parseArguments } from '../../src-main/electron/start-arguments.ts';

it('starts with a window unless told otherwise, whatever switches Chromium gets', () => {
  expect(parseArguments(['--no-sandbox', '/opt/app', '--ozone-platform=x11'])).toEqual({
    hidden: false,
    printEntry: undefined,
  });
  expect(parseArguments(['--hidden'])).toEqual({ hidden: true, printEntry: undefined });
});

it('prints the entry for the client that is named, by default for Claude Desktop', () => {
  expect(parseArguments(['--print-client-config']).printEntry).toBe('claude-desktop');
  expect(parseArguments(['--print-client-config=claude-code']).printEntry).toBe('claude-code');
});
