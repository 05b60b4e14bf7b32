// Runs every check that needs no test: format, lint, types, import graph, generated files.
import { inRoot, ROOT } from '../setup/paths.mjs';
import { packageProgram, run } from '../setup/run.mjs';
import { say } from '../setup/say.mjs';
import { importGraphFaults } from './import-graph.mjs';

const PROJECTS = ['src-shared', 'src-main/core', 'src-main', 'src-renderer', 'test'];

const STEPS = [
  { name: 'format', work: () => tool('prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']) },
  { name: 'lint', work: () => tool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'types', work: checkTypes },
  { name: 'import graph', work: checkImportGraph },
  { name: 'generated files', work: () => run(process.execPath, [inRoot('scripts/generate.mjs'), '--check']) },
];

/** Runs all checks, or those named, to their end, so that one run shows every fault. @returns the names of those that failed */
export async function runChecks(only = []) {
  const failed = [];
  for (const { name, work } of STEPS.filter((step) => only.length === 0 || only.includes(step.name))) {
    const code = await work();
    say(`check ${name}: ${code === 0 ? 'passed' : 'FAILED'}`);
    if (code !== 0) failed.push(name);
  }
  return failed;
}

function tool(file, args) {
  const [command, ...rest] = packageProgram(file);
  return run(command, [...rest, ...args]);
}

async function checkTypes() {
  let worst = 0;
  for (const project of PROJECTS)
    worst = Math.max(worst, await tool('typescript/bin/tsc', ['-p', project, '--noEmit']));
  return worst;
}

function checkImportGraph() {
  const faults = importGraphFaults(ROOT);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
}
