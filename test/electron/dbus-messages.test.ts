// The bytes of our D-Bus messages; tray-host.test.ts speaks them to a real bus.
import { describe, expect, it } from 'vitest';
import { encodeCall, takeMessage, variantBoolean } from '../../src-main/electron/dbus-messages.ts';

const CALL = {
  serial: 9,
  destination: 'org.example.Name',
  path: '/a/b',
  interface: 'org.example.Iface',
  member: 'Get',
  args: ['first', 'second argument'],
};

describe('a D-Bus message', () => {
  it('is taken whole from a stream, whatever its cuts, and what follows is kept', () => {
    const bytes = encodeCall(CALL);
    for (let cut = 0; cut < bytes.length; cut += 1) expect(takeMessage(bytes.subarray(0, cut))).toBeUndefined();
    expect(takeMessage(Buffer.concat([bytes, Buffer.from('rest')]))).toEqual({
      reply: null,
      rest: Buffer.from('rest'),
    });
  });

  it('has a length that is a multiple of eight before its body', () => {
    const empty = encodeCall({ ...CALL, args: [] });
    expect(empty.length % 8).toBe(0);
    expect(empty.readUInt32LE(4)).toBe(0);
  });

  it('reads a boolean out of a variant, and nothing else for true', () => {
    expect(variantBoolean(Buffer.from([1, 0x62, 0, 0, 1, 0, 0, 0]))).toBe(true);
    expect(variantBoolean(Buffer.from([1, 0x62, 0, 0, 0, 0, 0, 0]))).toBe(false);
    expect(variantBoolean(Buffer.from([1, 0x73, 0, 0, 1, 0, 0, 0]))).toBe(false);
    expect(variantBoolean(Buffer.alloc(0))).toBe(false);
  });
});
