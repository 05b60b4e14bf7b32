// Makes what a client gets: a result that is complete as text and as structure, or an error that says what to do next.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ErrorData } from '../../src-shared/errors.ts';
import { visibleText } from '../../src-shared/visible-text.ts';

/** Under this key of `_meta` an error stands as data. */
export const ERROR_META_KEY = 'patchbay/error';

/** What a handler answers: the structure that its declaration promises, and the same for readers of text. */
export interface Answer<Structure> {
  readonly structure: Structure;
  readonly text: string;
}

/** Every result carries notices. */
export interface WithNotices {
  readonly notices: readonly string[];
}

/** A result; notices come last in the text, each on its own line. */
export function toResult(answer: Answer<WithNotices>, more: readonly string[]): CallToolResult {
  const notices = [...answer.structure.notices, ...more].map(visibleText);
  const text = [answer.text, ...notices.map((notice) => `Note: ${notice}`)].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: { ...answer.structure, notices } };
}

/**
 * A failure. There is no `structuredContent`: a 1.x client that has listed the tools checks it against the output
 * schema even on errors, and throws.
 */
export function toErrorResult(fault: ErrorData, redact: (text: string) => string): CallToolResult {
  // They may quote what a client, a person or a server wrote.
  const error = { ...fault, message: visibleText(fault.message), hint: visibleText(fault.hint) };
  const clean: unknown = JSON.parse(redact(JSON.stringify(error)));
  const text = redact(`${error.code}: ${sentence(error.message)} ${sentence(error.hint)}`);
  return { isError: true, content: [{ type: 'text', text }], _meta: { [ERROR_META_KEY]: clean } };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
