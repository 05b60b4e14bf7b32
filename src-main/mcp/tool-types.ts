// The types that tie each tool's handler to its declaration.
import type * as z from 'zod';
import type { ClientActor } from '../../src-shared/model/index.ts';
import type { TOOLS, ToolName } from '../../src-shared/tools/index.ts';
import type { Sessions } from '../core/sessions/port.ts';
import type { Answer } from './tool-result.ts';
import type { Progress } from './waiting.ts';

/** Arguments of a tool after the parse. */
export type ToolInput<Name extends ToolName> = z.output<(typeof TOOLS)[Name]['input']>;

/** Structure of a tool's result. */
export type ToolOutput<Name extends ToolName> = z.output<(typeof TOOLS)[Name]['output']>;

/** Addresses that results name. */
export interface Links {
  /** Address where a person can watch this session, good until it closes. */
  sessionUrl(name: string): string;
}

/** All that a handler may use. */
export interface ToolContext {
  readonly sessions: Sessions;
  readonly links: Links;
  readonly actor: ClientActor;
  /** Fires when the client no longer waits; `giving-up.ts` tells why. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Does the work of one tool; throws AppError only. */
export type Handler<Name extends ToolName> = (
  args: ToolInput<Name>,
  context: ToolContext,
) => Promise<Answer<ToolOutput<Name>>>;

/** One handler for every tool: a missing one does not compile. */
export type Handlers = { readonly [Name in ToolName]: Handler<Name> };
