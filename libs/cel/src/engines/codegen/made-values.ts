import { ABSENT, SelectionFailure, lookUp, lookUpOrFail } from '../interpret/qualifier.ts';
import { STEP } from '../../library/step-prices.ts';
import { Optional, Timestamp } from '../../values/value.ts';
import { boxed, isError, unboxed } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Emits selections from values that a CEL operation has created, or whose type is known only at run time. The code calls the interpreter's
 * look-up, so that values and errors are the same as in the interpreter.
 */

/**
 * Emits code that reads the value under a key of `base`, which a CEL operation created or whose type is known only at run time. A missing
 * key is an error.
 */
export function readMade(g: Generator, base: Operand, key: Fragment, type: CelType): Operand {
  const value = boxedBase(g, base);
  const found = g.hold('found', js`${g.constants.name(lookUpOrFail)}(${value}, ${key}, run)`);
  g.writer.fail(js`${found}.error`, isFailure(g, found));
  return heldValue(g, found, type);
}

/**
 * Emits code that looks up `key` in `base`, a value that a CEL operation created. If the key exists, the emitted code runs the code that
 * `follow` emits for the found value.
 */
export function readMadeIfPresent(g: Generator, base: Operand, key: Fragment, type: CelType, follow: (found: Operand) => void): void {
  const found = g.writer.surcharged(failedStepUnits(g), () => lookedUp(g, base, key));
  g.writer.branch(js`${found} !== ${g.constants.name(ABSENT)}`, () => follow(heldValue(g, found, type)));
}

/** Returns the cost of an optional selection that fails. It costs nothing before 1.38. */
export const failedStepUnits = (g: Generator): number => (g.failuresEndCalls ? STEP : 0);

/** Emits code that tests if the CEL value `base` has the key or field `key`. Returns the result as a boolean operand. */
export function isMadePresent(g: Generator, base: Operand, key: Fragment): Operand {
  const found = lookedUp(g, base, key);
  return { code: g.hold('test', js`${found} !== ${g.constants.name(ABSENT)}`), shape: BOOL_SHAPE };
}

function lookedUp(g: Generator, base: Operand, key: Fragment): Fragment {
  const found = g.hold('found', js`${g.constants.name(lookUp)}(${boxedBase(g, base)}, ${key}, run)`);
  g.writer.fail(js`${found}.error`, isFailure(g, found));
  return found;
}

/**
 * Returns `base` as a CEL value. The generated code returns undefined if the value is an optional although its static type is not optional.
 * After such an optional, all further selections of an expression such as `a.b.c` would result in optionals, which only the interpreter
 * supports.
 */
function boxedBase(g: Generator, base: Operand): Fragment {
  g.runsLong = true;
  const value = g.hold('value', boxed(g, base));
  if (base.shape.kind === 'value') g.writer.bail(js`${value} instanceof ${g.constants.name(Optional)}`);
  return value;
}

/**
 * Returns an operand for a value that was found in a CEL list or map. If the value is an error, the generated code returns undefined,
 * because upstream reports an error in a list only at the next selection. The code also returns undefined for a timestamp that is a text,
 * as in `namespaceObject`.
 */
function heldValue(g: Generator, found: Fragment, type: CelType): Operand {
  g.writer.bail(isError(g, found));
  if (type.kind === 'timestamp') g.writer.bail(js`!(${found} instanceof ${g.constants.name(Timestamp)})`);
  return unboxed(g, found, type);
}

const isFailure = (g: Generator, found: Fragment): Fragment => js`${found} instanceof ${g.constants.name(SelectionFailure)}`;
