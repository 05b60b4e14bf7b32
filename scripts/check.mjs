// Runs the checks without preparing anything: `node scripts/check.mjs [name of a check ...]`.
import { runChecks } from './check/all.mjs';

const failed = await runChecks(process.argv.slice(2));
process.exitCode = failed.length === 0 ? 0 : 1;
