import { ABSENT, Failure, lookUp, lookUpOrFail } from '../interpret/qualifier.ts';
import { Optional, Timestamp } from '../../values/value.ts';
import { boxed, isError, unboxed } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Emits selections from values that CEL has created, or whose type is known only at run time. They call the interpreter's look-up, so that
 * values and errors are the same.
 */

/** Emits a read of the value of `base` under a key. An absent key is an error. */
export function readMade(g: Generator, base: Operand, key: Fragment, type: CelType): Operand {
  const value = boxedBase(g, base);
  const found = g.hold('found', js`${g.constants.name(lookUpOrFail)}(${value}, ${key})`);
  g.writer.fail(js`${found}.error`, isFailure(g, found));
  return heldValue(g, found, type);
}

/** Emits a read of the value of `base` under a key, if the key exists. `follow` writes the code that uses the value. */
export function readMadeIfPresent(g: Generator, base: Operand, key: Fragment, type: CelType, follow: (found: Operand) => void): void {
  const found = lookedUp(g, base, key);
  g.writer.branch(js`${found} !== ${g.constants.name(ABSENT)}`, () => follow(heldValue(g, found, type)));
}

/** Emits a test whether `base` has a key. */
export function isMadePresent(g: Generator, base: Operand, key: Fragment): Operand {
  const found = lookedUp(g, base, key);
  return { code: g.hold('test', js`${found} !== ${g.constants.name(ABSENT)}`), shape: BOOL_SHAPE };
}

function lookedUp(g: Generator, base: Operand, key: Fragment): Fragment {
  const found = g.hold('found', js`${g.constants.name(lookUp)}(${boxedBase(g, base)}, ${key})`);
  g.writer.fail(js`${found}.error`, isFailure(g, found));
  return found;
}

/**
 * Returns `base` as a CEL value. If the value is an optional although its type does not say so, the code gives up. Such an optional would
 * make the rest of the chain optional, which only the interpreter supports.
 */
function boxedBase(g: Generator, base: Operand): Fragment {
  g.runsLong = true;
  const value = g.hold('value', boxed(g, base));
  if (base.shape.kind === 'value') g.writer.bail(js`${value} instanceof ${g.constants.name(Optional)}`);
  return value;
}

/**
 * Returns a value that was read from a CEL value. The code gives up for an error, because lists may contain errors, and only the next
 * selection fails on them. It also gives up for a timestamp that is a text, as in `namespaceObject`.
 */
function heldValue(g: Generator, found: Fragment, type: CelType): Operand {
  g.writer.bail(isError(g, found));
  if (type.kind === 'timestamp') g.writer.bail(js`!(${found} instanceof ${g.constants.name(Timestamp)})`);
  return unboxed(g, found, type);
}

const isFailure = (g: Generator, found: Fragment): Fragment => js`${found} instanceof ${g.constants.name(Failure)}`;
