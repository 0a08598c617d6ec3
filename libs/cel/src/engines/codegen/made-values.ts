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
 * Steps into values that CEL made, or whose type is only known at run time. They call the interpreter's look-up, so
 * that values and errors are the same.
 */

/** Emits the value of `base` under a key; an absent key is an error. */
export function readMade(g: Generator, base: Operand, key: Fragment, type: CelType): Operand {
  const value = boxedBase(g, base);
  const found = g.hold('found', js`${g.constants.name(lookUpOrFail)}(${value}, ${key})`);
  g.writer.fail(js`${found}.error`, isFailure(g, found));
  return heldValue(g, found, type);
}

/** Emits the value of `base` under a key, if there is one. `follow` writes the code for a value. */
export function readMadeIfPresent(g: Generator, base: Operand, key: Fragment, type: CelType, follow: (found: Operand) => void): void {
  const found = lookedUp(g, base, key);
  g.writer.branch(js`${found} !== ${g.constants.name(ABSENT)}`, () => follow(heldValue(g, found, type)));
}

/** Emits a test for a key in `base`. */
export function isMadePresent(g: Generator, base: Operand, key: Fragment): Operand {
  const found = lookedUp(g, base, key);
  return { code: g.hold('test', js`${found} !== ${g.constants.name(ABSENT)}`), shape: BOOL_SHAPE };
}

function lookedUp(g: Generator, base: Operand, key: Fragment): Fragment {
  const found = g.hold('found', js`${g.constants.name(lookUp)}(${boxedBase(g, base)}, ${key})`);
  g.writer.fail(js`${found}.error`, isFailure(g, found));
  return found;
}

/** Returns an optional that no type announces makes the rest of a chain optional: the interpreter's business. */
function boxedBase(g: Generator, base: Operand): Fragment {
  g.runsLong = true;
  const value = g.hold('value', boxed(g, base));
  if (base.shape.kind === 'value') g.writer.bail(js`${value} instanceof ${g.constants.name(Optional)}`);
  return value;
}

/** Lists may hold errors; only the next step would trip over one. Declared dates may be texts: those of `namespaceObject` are. */
function heldValue(g: Generator, found: Fragment, type: CelType): Operand {
  g.writer.bail(isError(g, found));
  if (type.kind === 'timestamp') g.writer.bail(js`!(${found} instanceof ${g.constants.name(Timestamp)})`);
  return unboxed(g, found, type);
}

const isFailure = (g: Generator, found: Fragment): Fragment => js`${found} instanceof ${g.constants.name(Failure)}`;
