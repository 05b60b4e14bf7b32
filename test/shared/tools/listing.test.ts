// Checks how tools are listed: small, strict for arguments, free of marks of ours, all hints set.
import { describe, expect, it } from 'vitest';
import { TOOLS, listTool } from '../../../src-shared/tools/index.ts';

/** Bytes that the listed SSH group may have: 14 KiB. */
const SSH_LIST_MAX_BYTES = 14 * 1024;
/** Characters of a description; some clients cut at 2 KB. */
const DESCRIPTION_MAX_CHARS = 1500;

const listed = Object.values(TOOLS).map((tool) => listTool(tool));

describe('the listed tools', () => {
  it('fit into 14 KiB', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(SSH_LIST_MAX_BYTES);
  });

  it('are the same each time, in the order of their declaration', () => {
    expect(Object.values(TOOLS).map((tool) => listTool(tool))).toEqual(listed);
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
  });

  it.each(listed)('$name takes only arguments that it describes, and describes all of them', ({ inputSchema }) => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    const fields = Object.values(inputSchema['properties'] as Record<string, { description?: string }>);
    for (const field of fields) expect(field.description).toMatch(/\w/);
  });

  it.each(listed)('$name says what comes back, one example and every code', ({ name, description, outputSchema }) => {
    expect(outputSchema['type']).toBe('object');
    expect(description).toContain('Example: {');
    expect(description.endsWith(`Errors: ${TOOLS[name as keyof typeof TOOLS].errors.join(', ')}.`)).toBe(true);
    expect(description.length).toBeLessThanOrEqual(DESCRIPTION_MAX_CHARS);
  });

  it.each(listed)('$name sets all four annotations', ({ annotations }) => {
    expect(Object.values(annotations).map((value) => typeof value)).toEqual(Array(4).fill('boolean'));
  });

  it('hold no mark of ours and no bound that says nothing', () => {
    const text = JSON.stringify(listed);
    for (const mark of ['"secret"', '"trim"', '"listed"', '"$schema"', String(Number.MAX_SAFE_INTEGER)]) {
      expect(text).not.toContain(mark);
    }
  });

  it('say that a value may be null without a second branch', () => {
    const { outputSchema } = listTool(TOOLS.ssh_exec);
    expect(outputSchema['properties']).toMatchObject({
      exitCode: { type: ['integer', 'null'] },
      startedAt: { type: ['string', 'null'] },
      stdout: { type: 'string' },
    });
  });

  it('keep at most three tools loaded in clients that load on demand', () => {
    expect(listed.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true)).toHaveLength(3);
  });
});
