// Finds where a text stops being JSON, because the engine's own message often names no place.

/** First fault of a JSON text; line and column count from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

class FaultAt extends Error {
  constructor(
    readonly offset: number,
    problem: string,
  ) {
    super(problem);
  }
}

/** The first fault, or undefined when the text is JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  return scanAll(new Scan(text, false), text);
}

/** The first name that stands twice in one object, of which a parser silently keeps one value; `text` is JSON. */
export function findRepeatedName(text: string): JsonFault | undefined {
  return scanAll(new Scan(text, true), text);
}

function scanAll(scan: Scan, text: string): JsonFault | undefined {
  try {
    scan.value();
    scan.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof FaultAt)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1, problem: error.message };
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** Everything from the blank up but quote and backslash, and the escapes that JSON knows. */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const BLANK = /[ \t\r\n]*/y;

class Scan {
  #at = 0;
  /** Names so far, of each object that is open. */
  readonly #names: Set<string>[] = [];

  constructor(
    private readonly text: string,
    private readonly namesOnce: boolean,
  ) {}

  value(): void {
    this.#blank();
    if (this.#take('{')) return this.#object();
    if (this.#take('[')) return this.#list(']', () => this.value());
    if (this.text[this.#at] === '"') return this.#string('a text');
    if (!this.#match(NUMBER) && !this.#match(WORD)) this.#fail('a value is expected');
  }

  end(): void {
    this.#blank();
    if (this.#at < this.text.length) this.#fail('nothing more is expected');
  }

  #object(): void {
    this.#names.push(new Set());
    this.#list('}', () => this.#member());
    this.#names.pop();
  }

  #list(close: string, element: () => void): void {
    this.#blank();
    if (this.#take(close)) return;
    for (;;) {
      element();
      this.#blank();
      if (this.#take(close)) return;
      if (!this.#take(',')) this.#fail(`a comma or ${close} is expected`);
    }
  }

  #member(): void {
    this.#blank();
    if (this.text[this.#at] !== '"') this.#fail('a name in double quotes is expected');
    const start = this.#at;
    this.#string('a name');
    if (this.namesOnce) this.#remember(start);
    this.#blank();
    if (!this.#take(':')) this.#fail('a colon is expected');
    this.value();
  }

  #remember(start: number): void {
    const name: unknown = JSON.parse(this.text.slice(start, this.#at));
    const names = this.#names.at(-1);
    if (names === undefined || typeof name !== 'string') return;
    if (names.has(name)) throw new FaultAt(start, `${name} stands here a second time`);
    names.add(name);
  }

  #string(what: string): void {
    if (!this.#match(STRING))
      this.#fail(`${what} that begins here does not end, or holds a bad escape or a line break`);
  }

  #blank(): void {
    this.#match(BLANK);
  }

  #take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return false;
    this.#at += found[0].length;
    return true;
  }

  #fail(problem: string): never {
    throw new FaultAt(this.#at, this.#at >= this.text.length ? `the file ends where ${problem}` : problem);
  }
}
