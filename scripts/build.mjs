// Builds what is out of date (`--force`: everything) without the checks that the bootstrap does first.
import { ensureBuilt } from './build/up-to-date.mjs';

await ensureBuilt({ force: process.argv.includes('--force') });
