// Tokens that others could read are told as a card.
import { describe, expect, it } from 'vitest';
import { tellOpenFiles } from '../../src-main/open-files.ts';

function tell(names: readonly string[]) {
  const found = names.map((name) => ({ name, mode: '644', closed: name !== 'foreign' }));
  const titles: string[] = [];
  const lines: unknown[] = [];
  tellOpenFiles(found, '/data', {
    cards: { addFault: (title) => void titles.push(title) },
    log: { warn: (message, details) => void lines.push([message, details?.['file']]) },
  });
  return { titles, lines };
}

describe('what stood open to other accounts', () => {
  it('is a card when tokens were among it and the folder could be entered', () => {
    expect(tell(['', 'tokens.json']).titles).toEqual(['Access tokens could be read by others']);
    expect(tell(['tokens.json']).titles).toEqual([]);
    expect(tell(['', 'journal']).titles).toEqual([]);
  });

  it('is a line of the log each, which says when it is open still', () => {
    expect(tell(['', 'foreign']).lines).toEqual([
      ['was open to other accounts and is closed to them now', '/data'],
      ['is open to other accounts', '/data/foreign'],
    ]);
  });
});
