// The shape of a tool's one declaration, from which lists, types, documents and switches are made.
import type * as z from 'zod';
import type { ErrorCode } from '../errors.ts';

/** Whether a tool only reads, changes something, or can destroy something; rules decide by it. */
export type Effect = 'reads' | 'changes' | 'destroys';

/** One declaration of a tool. */
export interface ToolDeclaration<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model: what, when, what comes back, one limit, one example. The codes are appended by {@link toolDescription}. */
  readonly description: string;
  readonly group: 'ssh' | 'gns3';
  readonly effect: Effect;
  /** True when the tool types into a session or takes it away: it then needs the lease and is stopped by a pause. */
  readonly types: boolean;
  /** True when calling twice with the same arguments does no more than once. */
  readonly idempotent: boolean;
  readonly input: Input;
  readonly output: Output;
  /** Every code that the tool can answer. */
  readonly errors: readonly ErrorCode[];
  /** Characters a result may have before clients cut it; raises Claude Code's own limit. */
  readonly maxResultChars?: number;
  /** Keep the tool loaded where a client loads tools on demand. At most three tools. */
  readonly alwaysLoad?: boolean;
}

/** Checks a declaration's type without widening it. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: ToolDeclaration<Input, Output>,
): ToolDeclaration<Input, Output> {
  return declaration;
}

/** The description as listed: the text, then the codes that can be answered. */
export function toolDescription(tool: ToolDeclaration): string {
  return `${tool.description} Errors: ${tool.errors.join(', ')}.`;
}
