// Checks that what is shipped holds nothing of the conformance fixtures.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const OUT = path.resolve(import.meta.dirname, '../../out');
const programs = fs.existsSync(OUT) ? fs.readdirSync(OUT).filter((file) => /\.c?js$/.test(file)) : [];

describe('the shipped programs', () => {
  it('are there to be looked at', () => {
    expect(programs).toEqual(expect.arrayContaining(['headless.js', 'main.js', 'bridge.js']));
  });

  it.each(programs)('%s holds no fixture of the conformance suite', (program) => {
    const text = fs.readFileSync(path.join(OUT, program), 'utf8');
    for (const fixture of ['test_simple_text', 'test_input_required_result', 'test://static-text']) {
      expect(text).not.toContain(fixture);
    }
  });
});
