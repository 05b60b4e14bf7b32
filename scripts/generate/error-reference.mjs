// Makes the reference of error codes.
import { GENERATED_NOTE } from './markdown.mjs';

const RETRY = {
  no: 'Calling again does not help.',
  same: 'The same call may work later.',
  'after-change': 'Call again after the change that the hint names.',
};

/** docs/errors.md */
export function errorReference({ ERRORS, TOOLS }) {
  const sections = Object.entries(ERRORS).map(([code, row]) => errorSection(code, row, toolsWith(TOOLS, code)));
  return [GENERATED_NOTE, '# Errors', '', ...sections].join('\n');
}

const toolsWith = (tools, code) => Object.values(tools).filter(({ errors }) => errors.includes(code));

function errorSection(code, { message, hint, retry }, tools) {
  const answeredBy = tools.map(({ name }) => `\`${name}\``).join(', ');
  const lines = [`## ${code}`, '', `${message}.`, '', `Next step: ${hint} ${RETRY[retry]}`, ''];
  return [...lines, ...(answeredBy ? [`Answered by: ${answeredBy}`, ''] : [])].join('\n');
}
