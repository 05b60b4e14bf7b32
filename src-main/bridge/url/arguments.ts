// Reads `--url <address> [--header "Name: value"]...` of the bridge's command line.
import type { Headers } from './http.ts';

/** Where to and with what, or what is wrong. */
export type UrlWish =
  { readonly ok: true; readonly url: URL; readonly headers: Headers } | { readonly ok: false; readonly fault: string };

/** Reads the arguments after the program's name. Header values are never repeated in a fault. */
export function parseUrlArguments(args: readonly string[]): UrlWish {
  const headers: Record<string, string> = {};
  let url: URL | undefined;
  for (let index = 0; index < args.length; index += 2) {
    const [name, value] = [args[index], args[index + 1]];
    if (value === undefined) return fault(`${name} needs a value`);
    if (name === '--url') url = addressOf(value);
    else if (name === '--header') {
      const header = /^([A-Za-z0-9-]+):\s*([\t -~]*)$/.exec(value);
      if (header?.[1] === undefined || header[2] === undefined) return fault('--header needs the form "Name: value"');
      headers[header[1].toLowerCase()] = header[2].trim();
    } else return fault(`${name} is not known beside --url and --header`);
    if (name === '--url' && url === undefined) return fault('--url needs an http or https address');
  }
  return url === undefined ? fault('--url is missing') : { ok: true, url, headers };
}

function addressOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

function fault(text: string): UrlWish {
  return { ok: false, fault: text };
}
