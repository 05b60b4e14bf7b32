// The part of xterm.js's parser that our hooks need; the real terminal and the headless one both have it.

interface FunctionIdentifier {
  readonly prefix?: string;
  readonly intermediates?: string;
  readonly final: string;
}

/** Handlers return true when the sequence is dealt with, so that xterm.js does nothing about it. */
export interface Parser {
  registerCsiHandler(id: FunctionIdentifier, handler: (params: (number | number[])[]) => boolean): unknown;
  registerEscHandler(id: FunctionIdentifier, handler: () => boolean): unknown;
  registerDcsHandler(id: FunctionIdentifier, handler: (text: string) => boolean): unknown;
  registerOscHandler(id: number, handler: (text: string) => boolean): unknown;
}

/** Deals with a sequence by doing nothing. */
export const swallow = (): boolean => true;
