// Writes every generated document; with --check it writes nothing and fails when one differs or a test is missing.
import fs from 'node:fs';
import { acceptanceTable } from './generate/acceptance.mjs';
import { loadContracts } from './generate/contracts.mjs';
import { errorReference } from './generate/error-reference.mjs';
import { fieldCaseFaults } from './generate/field-cases.mjs';
import { replaceMarked } from './generate/markdown.mjs';
import { settingTable } from './generate/setting-reference.mjs';
import { readTestTitles } from './generate/test-titles.mjs';
import { toolReference, toolSchemas, toolTable } from './generate/tool-reference.mjs';
import { inRoot } from './setup/paths.mjs';
import { writeWhole } from './setup/stamp.mjs';

const contracts = await loadContracts();
const titles = readTestTitles();
const acceptance = acceptanceTable(JSON.parse(read('docs/acceptance-criteria.json')), titles);
const readme = generatedReadme();

const documents = {
  'docs/tools.md': toolReference(contracts),
  'docs/tools.schema.json': toolSchemas(contracts),
  'docs/errors.md': errorReference(contracts),
  'docs/acceptance.md': acceptance.text,
  ...(readme.text === undefined ? {} : { 'README.md': readme.text }),
};

const faults = [...readme.faults, ...acceptance.faults, ...fieldCaseFaults(read('docs/field-cases.md'), titles)];
const differing = Object.entries(documents).filter(([file, text]) => read(file) !== text);
const isCheck = process.argv.includes('--check');

for (const [file, text] of differing) {
  if (isCheck) faults.push(`${file} is out of date: run node scripts/generate.mjs`);
  else writeWhole(inRoot(file), text);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The README with fresh tables. */
function generatedReadme() {
  const tables = { tools: toolTable(contracts), configuration: settingTable(contracts) };
  let text = read('README.md');
  const missing = [];
  for (const [name, content] of Object.entries(tables)) {
    const replaced = replaceMarked(text, name, content);
    if (replaced === undefined) missing.push(`README.md has no place for the ${name} table`);
    text = replaced ?? text;
  }
  return { text: missing.length === 0 ? text : undefined, faults: missing };
}

/** A file's text; empty when there is none, which then shows as a difference. */
function read(file) {
  return fs.existsSync(inRoot(file)) ? fs.readFileSync(inRoot(file), 'utf8') : '';
}
