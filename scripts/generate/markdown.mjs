// Small pieces of Markdown.

/** A table; cells are text, and what would break a cell is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** The note at the top of every generated document. */
export const GENERATED_NOTE = '<!-- Made by scripts/generate.mjs from src-shared. Change it there. -->';

/** Replaces the text between `<!-- generated:NAME -->` and `<!-- /generated -->`; undefined when the marks are missing. */
export function replaceMarked(document, name, text) {
  const open = `<!-- generated:${name} -->`;
  const start = document.indexOf(open);
  const end = document.indexOf('<!-- /generated -->', start);
  if (start < 0 || end < 0) return undefined;
  return `${document.slice(0, start + open.length)}\n\n${text}\n\n${document.slice(end)}`;
}

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
