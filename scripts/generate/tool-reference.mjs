// Makes the tools' reference, their JSON Schema and the README's table of tools.
import { GENERATED_NOTE, table } from './markdown.mjs';

const EFFECTS = { reads: 'only reads', changes: 'changes things', destroys: 'can destroy' };

/** docs/tools.md */
export function toolReference({ TOOLS, z }) {
  const parts = Object.values(TOOLS).map((tool) => toolSection(tool, z));
  return [GENERATED_NOTE, '# Tools', '', ...parts].join('\n');
}

/** docs/tools.schema.json: what is listed to clients, by tool name. */
export function toolSchemas({ TOOLS, listTool }) {
  const tools = Object.values(TOOLS).map(listTool);
  return `${JSON.stringify({ tools }, undefined, 2)}\n`;
}

/** The README's table of tools. */
export function toolTable({ TOOLS }) {
  const rows = Object.values(TOOLS).map((tool) => [`\`${tool.name}\``, tool.title, EFFECTS[tool.effect]]);
  return table(['Tool', 'What it does', 'Effect'], rows);
}

function toolSection(tool, z) {
  return [
    `## \`${tool.name}\``,
    '',
    `**${tool.title}** (${EFFECTS[tool.effect]})`,
    '',
    tool.description,
    '',
    '### Arguments',
    '',
    fieldTable(z.toJSONSchema(tool.input, { io: 'input' })),
    '',
    '### Result',
    '',
    fieldTable(z.toJSONSchema(tool.output, { io: 'output' })),
    '',
    `Errors: ${tool.errors.map((code) => `[\`${code}\`](errors.md#${code.toLowerCase()})`).join(', ')}`,
    '',
  ].join('\n');
}

function fieldTable(schema) {
  const rows = fieldRows(schema, '');
  return rows.length === 0 ? 'None.' : table(['Name', 'Type', 'Required', 'Meaning'], rows);
}

function fieldRows(schema, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [`\`${prefix}${name}\``, typeText(field), schema.required?.includes(name) ? 'yes' : 'no', field.description ?? ''],
    ...fieldRows(field, `${prefix}${name}.`),
    ...(field.type === 'array' ? fieldRows(field.items ?? {}, `${prefix}${name}[].`) : []),
  ]);
}

function typeText(field) {
  if (field.const !== undefined) return JSON.stringify(field.const);
  if (field.enum) return field.enum.map((one) => JSON.stringify(one)).join(', ');
  if (field.anyOf) return field.anyOf.map(typeText).join(' or ');
  if (field.type === 'array') return `list of ${typeText(field.items ?? {})}`;
  const bounds = [field.minimum, field.maximum].some((bound) => Math.abs(bound) < Number.MAX_SAFE_INTEGER);
  const range = bounds ? ` (${field.minimum ?? ''} to ${field.maximum ?? ''})` : '';
  return `${[field.type ?? 'any value'].flat().join(' or ')}${range}`;
}
