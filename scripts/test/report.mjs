// Sums a test run up: what was left out and why, and one last line with the counts.
import { reasonOf } from './needs.mjs';

/**
 * @param {{
 *   parts: {passed: number, failed: number, skipped: string[]}[],
 *   left: {file: string, needs: string[]}[],
 *   installLine?: string | undefined,
 *   strict: boolean,
 * }} run `left` are files that were not run at all; strict: whatever was left out counts as failed
 * @returns {{lines: string[], summary: string, failed: number}}
 */
export function summarise({ parts, left, installLine, strict }) {
  const skipped = parts.flatMap((part) => part.skipped);
  const leftOut = skipped.length + left.length;
  const lines = [
    ...skipped.map((name) => `skipped: ${name}`),
    ...left.map(({ file, needs }) => `skipped: ${file}: ${needs.map(reasonOf).join(', ')}`),
    ...(installLine === undefined ? [] : [`to run what was skipped: ${installLine}`]),
    ...(strict && leftOut > 0 ? ['nothing may be skipped here, so what was skipped counts as failed'] : []),
  ];
  const passed = sum(parts.map((part) => part.passed));
  const failed = sum(parts.map((part) => part.failed)) + (strict ? leftOut : 0);
  const tail = !strict && leftOut > 0 ? `, ${leftOut} skipped` : '';
  return { lines, summary: `${passed} passed, ${failed} failed${tail}`, failed };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
