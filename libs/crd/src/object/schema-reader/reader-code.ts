import { Constants, js, joined, linkCode, Names } from '#cel';
import type { Fragment, Linker, ValueSchema } from '#cel';
import type { MetaWording } from '#kube';
import type { Dialect } from '../openapi/check.ts';
import type { ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';

/**
 * Writes code that reads the value at `at` into a variable, by the node's schema, and moves `at` behind it. The code
 * returns undefined from its function if it gives up on the value.
 */
export type ValueEmitter = (code: ReaderCode, node: ReaderNode, into: Fragment) => Fragment;

/** Passes over white space. */
export const SKIP_SPACE = js`if (bytes[at] <= 32) at = s.skip(at);`;

/** Passes over the colon between a key and its value. */
export const SKIP_COLON = js`${SKIP_SPACE} if (bytes[at] !== 58) return undefined; at += 1; ${SKIP_SPACE}`;

/** The bytes that open and close what a function reads. */
const BRACKETS = { list: { open: 91, close: 93 }, object: { open: 123, close: 125 } } as const;

/** Elements between two looks at the cancellation token, less one: a mask. */
export const POLL_MASK = 255;

/**
 * Returns code that reads a list or an object to its end. `declared` comes before its entries, and `entry` reads one of
 * them.
 */
export function emitEntries(kind: keyof typeof BRACKETS, declared: Fragment, entry: Fragment): Fragment {
  const { open, close } = BRACKETS[kind];
  return js`if (bytes[at] !== ${open}) return undefined;
${declared}
at += 1;
${SKIP_SPACE}
if (bytes[at] === ${close}) at += 1;
else for (;;) {
${entry}
${SKIP_SPACE}
const next = bytes[at];
at += 1;
if (next === ${close}) break;
if (next !== 44) return undefined;
${SKIP_SPACE}
}
s.at = at;`;
}

/** Ends a function in silence: the exact code has the word. */
export const SILENCE = js`return undefined;`;

/**
 * The source of one reader during its generation. It has one function for each object, list or map of the schema, over
 * the cursor `s` and the run `r`. Each function has the bytes as `bytes` and its position as `at`. It updates the
 * cursor before it calls another function.
 */
export class ReaderCode {
  readonly dialect: Dialect;
  /** Wording of errors about metadata, which has no effect on a reader. */
  readonly wording: MetaWording;
  /** Makes functions of sources. */
  readonly linker: Linker;
  /** See `NodeRules`. */
  readonly patience: number;
  /** Writes the code of a value, whatever its type. */
  readonly value: ValueEmitter;
  /** Schemas of the lists that may become columns. */
  readonly columns = new Set<ValueSchema>();
  /** Fields with such lists. */
  columnFields = 0;
  readonly #names = new Names();
  readonly #constants = new Constants(this.#names);
  readonly #functions: Fragment[] = [];
  readonly #run: Fragment;

  constructor(run: ReaderRun, settings: Pick<ReaderCode, 'dialect' | 'wording' | 'linker' | 'patience'>, value: ValueEmitter) {
    this.dialect = settings.dialect;
    this.wording = settings.wording;
    this.linker = settings.linker;
    this.patience = settings.patience;
    this.value = value;
    this.#run = this.#constants.name(run);
  }

  /** The name of a value that the code refers to. */
  constant(value: unknown): Fragment {
    return this.#constants.name(value);
  }

  /** A name for a local variable or a label. */
  fresh(role: Parameters<Names['fresh']>[0]): Fragment {
    return this.#names.fresh(role);
  }

  /** Makes a function without parameters of a body, and gives its name. */
  define(body: Fragment): Fragment {
    const name = this.#names.fresh('read');
    this.#functions.push(js`function ${name}() {
const bytes = s.bytes;
let at = s.at;
${body}
}`);
    return name;
  }

  /** Links the functions, of which `root` is called to read; undefined where the host forbids code from strings. */
  link(root: Fragment): (() => unknown) | undefined {
    const source = joined(
      [
        js`"use strict";`,
        ...this.#constants.declarations(),
        js`const r = ${this.#run};`,
        js`const s = r.cursor;`,
        ...this.#functions,
        js`return ${root};`,
      ],
      '\n',
    );
    const result = linkCode(this.linker, source.source, this.#constants.values);
    return result.ok ? (result.linked as () => unknown) : undefined;
  }
}
