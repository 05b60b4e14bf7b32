// What the app was started with: its own options, among which Chromium's may stand.
import { parseOptions } from '../program-options.ts';
import type { Wish } from '../program-options.ts';

/**
 * How Chromium's and Electron's own switches begin; there are thousands, and people need some of them. `--headless` would
 * be one of Chromium's, but means something else to Patchbay and works only from a clone.
 */
const FOREIGN =
  /^--(allow|auth|auto|block|class|crash|device|disable|enable|expose|field-trial|force|gpu|gtk|high-dpi|host|ignore|in-process|inspect|js-flags|lang|log|no|original|ozone|password|proxy|remote|renderer|restore|secure|single-process|ssl|start|test|touch|trace|type|unsafely|use|user|v|vmodule|wm|x11)([-=]|$)/;

/** Reads the arguments after the program's name; the folder of the app among them is passed over. */
export function parseArguments(argv: readonly string[]): Wish {
  return parseOptions(argv.filter((arg) => /^(--|-h$)/.test(arg) && (arg === '--force' || !FOREIGN.test(arg))));
}
