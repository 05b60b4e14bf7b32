// The second net under secrets: replaces those that are known in texts of ours before they are written anywhere.
import type { SecretNet } from '../core.ts';

/** Shorter ones would hit ordinary words; they are kept out by mark alone. */
const SHORTEST = 6;
const MASK = '[secret]';

/** A net that starts empty; it remembers secrets for the life of the process. */
export function createSecretNet(): SecretNet {
  const forms = new Set<string>();
  let pattern: RegExp | undefined;
  return {
    learn(secret) {
      if (secret.length < SHORTEST || forms.has(secret)) return;
      for (const form of formsOf(secret)) forms.add(form);
      pattern = patternOf(forms);
    },
    // In one pass: a mask that was just put in is never searched again.
    redact: (text) => (pattern === undefined ? text : text.replace(pattern, MASK)),
  };
}

/** Longest first, so that a secret which contains another one is replaced as a whole. */
function patternOf(forms: ReadonlySet<string>): RegExp {
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return new RegExp(escaped.join('|'), 'g');
}

/** As it is, and as it looks inside JSON, an address, and base64. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = bytes.toString('base64').replaceAll('=', '');
  return [secret, inJson, JSON.stringify(inJson).slice(1, -1), encoded(bytes), base64, bytes.toString('base64url')];
}

/** Through bytes, because half a surrogate pair cannot be encoded. */
function encoded(secret: Buffer): string {
  return encodeURIComponent(secret.toString('utf8'));
}
