// OpenSSH's host patterns: `*` stands for any text, `?` for one character.

/** Whether a pattern matches the whole text; letters count as they are. */
export function matchesPattern(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
}
