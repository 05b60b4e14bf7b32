// Where switches, rules and approvals decide about a tool call; until they are built, everything is allowed.
import type { ClientActor } from '../../src-shared/model/index.ts';
import type { ToolName } from '../../src-shared/tools/index.ts';
import type { Session } from '../core/sessions/port.ts';

/** A call as a rule sees it: checked arguments, secrets included, so it must not be stored. */
export interface PolicyQuestion {
  readonly tool: ToolName;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly actor: ClientActor;
  /** The session that the call works on; absent for a call that works on none. */
  readonly session?: Session;
}

/** What a rule says. */
export type Verdict =
  { readonly kind: 'allow' } | { readonly kind: 'ask' } | { readonly kind: 'deny'; readonly reason: string };

/** Decides about calls. */
export interface Policy {
  /** A tool that is switched off answers DENIED. */
  enabled(tool: ToolName): boolean;
  rule(question: PolicyQuestion): Verdict;
  /** Asks the person about a call whose verdict is `ask`; rejects with DENIED and the person's reason. */
  approve(question: PolicyQuestion, signal: AbortSignal): Promise<void>;
}

/** The default: nothing is switched off, every call is allowed, so nobody is asked. */
export const ALLOW_ALL: Policy = {
  enabled: () => true,
  rule: () => ({ kind: 'allow' }),
  approve: () => Promise.resolve(),
};
