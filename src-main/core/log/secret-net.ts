// The second net under secrets: replaces those that are known in texts of ours before they are written anywhere.
import type { SecretNet } from '../core.ts';

/** Shorter ones would hit ordinary words; they are kept out by mark alone. */
const SHORTEST = 6;
const MASK = '[secret]';

/** A net that starts empty; it remembers secrets for the life of the process. */
export function createSecretNet(): SecretNet {
  const forms = new Set<string>();
  let longestFirst: readonly string[] = [];
  return {
    learn(secret) {
      if (secret.length < SHORTEST || forms.has(secret)) return;
      for (const form of formsOf(secret)) forms.add(form);
      // A secret that contains another one has to be replaced as a whole.
      longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
    },
    redact(text) {
      let clean = text;
      for (const form of longestFirst) {
        if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
      }
      return clean;
    },
  };
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
