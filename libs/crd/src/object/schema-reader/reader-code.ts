import { Constants, js, joined, linkCode, Names } from '#cel';
import type { Fragment, Linker, LinkResult, ValueSchema } from '#cel';
import type { MetaWording } from '#kube';
import type { ValidationBehaviour } from '../openapi/schema-walk.ts';
import type { ReaderNode } from './reader-node.ts';
import type { ReaderRun } from './reader-run.ts';

/**
 * Function that emits code of a generated JSON reader for one value. The emitted code reads the value at offset `at` into the variable
 * `into`, and moves `at` past the value. If the value does not have the form that the node's schema allows, the emitted code makes its
 * enclosing function return undefined.
 */
export type ValueEmitter = (code: ReaderCode, node: ReaderNode, into: Fragment) => Fragment;

/** Part of a generated schema reader: code that skips white space in the JSON bytes. */
export const SKIP_SPACE = js`if (bytes[at] <= 32) at = s.skip(at);`;

/** Code that skips the colon between a key and its value. */
export const SKIP_COLON = js`${SKIP_SPACE} if (bytes[at] !== 58) return undefined; at += 1; ${SKIP_SPACE}`;

/** Bytes that open and close a list and an object. */
const BRACKETS = { list: { open: 91, close: 93 }, object: { open: 123, close: 125 } } as const;

/** Bit mask that selects each 256th index of a list. The cancellation token is checked at these indexes. */
export const POLL_MASK = 255;

/**
 * Returns generated code that reads a JSON list or object from the opening bracket to the closing bracket. In this code, `declared` runs
 * once before the first entry, and `entry` reads one entry.
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

/**
 * Code that makes a function of the generated reader return undefined. Undefined means that the reader gives no verdict. The exact
 * validation, which does not use generated code, then computes the verdict on the object.
 */
export const GIVE_UP = js`return undefined;`;

/**
 * Source code of a generated reader, which reads and validates the objects of one schema. This class collects the code during its
 * generation.
 *
 * The code has one function for each object, list or map of the schema. All functions share the cursor `s` and the reader's state `r`
 * (`ReaderRun`). Each function has a variable `bytes` for the document and a variable `at` for its position. A function updates the cursor
 * before it calls another function.
 */
export class ReaderCode {
  readonly behaviour: ValidationBehaviour;
  /** Wording of errors about metadata, which has no effect on a reader. */
  readonly wording: MetaWording;
  /** Linker that creates functions from source code. */
  readonly linker: Linker;
  /** Number of values of a node after which its rules are joined into one function, see `NodeRules`. */
  readonly warmupValues: number;
  /** Emitter of code that reads a value of any type. */
  readonly value: ValueEmitter;
  /** Schemas of the lists that may become columns. A column stores all elements of a list in one integer array. */
  readonly columns = new Set<ValueSchema>();
  /** Number of fields counted for {@link columns}. */
  columnFields = 0;
  readonly #names = new Names();
  readonly #constants = new Constants(this.#names);
  readonly #functions: Fragment[] = [];
  readonly #run: Fragment;

  constructor(run: ReaderRun, settings: Pick<ReaderCode, 'behaviour' | 'wording' | 'linker' | 'warmupValues'>, value: ValueEmitter) {
    this.behaviour = settings.behaviour;
    this.wording = settings.wording;
    this.linker = settings.linker;
    this.warmupValues = settings.warmupValues;
    this.value = value;
    this.#run = this.#constants.name(run);
  }

  /** Returns the name of a constant that holds `value`. */
  constant(value: unknown): Fragment {
    return this.#constants.name(value);
  }

  /** Returns an unused name for a local variable or a label. */
  fresh(role: Parameters<Names['fresh']>[0]): Fragment {
    return this.#names.fresh(role);
  }

  /** Adds a function without parameters that has the given body, and returns its name. */
  define(body: Fragment): Fragment {
    const name = this.#names.fresh('read');
    this.#functions.push(js`function ${name}() {
const bytes = s.bytes;
let at = s.at;
${body}
}`);
    return name;
  }

  /** Links all functions and returns the function `root`, which reads an object, or the reason why the host forbids code from strings. */
  link(root: Fragment): LinkResult {
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
    return linkCode(this.linker, source.source, this.#constants.values);
  }
}
