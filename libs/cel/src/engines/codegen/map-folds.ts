import { implementationOf } from '../interpret/dispatch.ts';
import { CHAIN, UNSTATED_CALL } from '../../library/step-prices.ts';
import { MutableMap } from '../../values/map.ts';
import { boxed, isError } from './boxing.ts';
import { js } from '../../library/code/javascript.ts';
import { emitFiltered, writeLoop } from './loop.ts';
import type { FoldKind, Loop } from './loop.ts';
import type { ComprehensionExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Fragment } from '../../library/code/javascript.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Costs of reading the accumulator of a macro, and of the call that inserts an entry. Source: cel-go interpreter/runtimecost.go (v0.29.2)
 * on ext/comprehensions.go.
 */
const COST = { read: CHAIN, insert: UNSTATED_CALL } as const;

/**
 * Emits `transformMap` or `transformMapEntry`, which insert an entry for each element that passes the filter. After an error, no more
 * entries are inserted. An error of the filter replaces an earlier error.
 */
export function emitMapFold(g: Generator, node: ComprehensionExpr, loop: Loop, { insert, filter }: FoldKind & { kind: 'map' }): Operand {
  const { writer } = g;
  const declared = g.environment.functions.get(insert.function);
  if (declared === undefined) return g.giveUp(`the function ${insert.function}`);
  const overloads = g.checked.references.get(insert.id)?.overloads ?? [];
  const { call } = implementationOf(declared, overloads, insert.args.length, insert.id);
  const map = g.hold('map', js`new ${g.constants.name(MutableMap)}()`);
  const error = g.names.fresh('error');
  writer.line(js`let ${error};`);
  const target: InsertTarget = { map, error, call: g.constants.name(call) };
  const [, ...parts] = insert.args;
  const step = (): void => (parts.length === 1 ? insertMap(g, target, parts[0]!) : insertEntry(g, target, parts));
  writeLoop(g, loop, 'withoutBreak', () => {
    if (filter === undefined) step();
    else emitFiltered(g, filter, error, step);
  });
  writer.charge(COST.read);
  writer.fail(error, js`${error} !== undefined`);
  return { code: g.hold('map', js`${map}.frozen()`), shape: { kind: 'value', type: g.typeOf(node) } };
}

/** Variables that contain the resulting map and the error of a comprehension, and the function that inserts an entry into the map. */
interface InsertTarget {
  readonly map: Fragment;
  readonly error: Fragment;
  readonly call: Fragment;
}

/**
 * Emits a call that inserts a key and a value into the resulting map. The call fails with the error of the first failing argument. A failed
 * call costs nothing. Before 1.38, it has its cost if only the last argument failed.
 */
function insertEntry(g: Generator, { map, error, call }: InsertTarget, parts: readonly Expr[]): void {
  const { writer } = g;
  const [key, value] = parts as readonly [Expr, Expr];
  writer.charge(COST.read);
  writer.branch(js`${error} === undefined`, () => {
    const { error: own } = g.attempt(() => {
      const entryKey = g.hold('key', boxed(g, g.emit(key)));
      const entryValue = g.hold(
        'value',
        boxed(g, g.failuresEndCalls ? g.emit(value) : writer.surcharged(COST.insert, () => g.emit(value))),
      );
      writer.charge(COST.insert);
      const inserted = g.hold('out', js`${call}([${map}, ${entryKey}, ${entryValue}], run)`);
      writer.fail(inserted, isError(g, inserted));
      return { code: map, shape: { kind: 'bool' } };
    });
    if (own !== undefined) writer.line(js`${error} = ${own};`);
  });
}

/**
 * Emits a call that inserts all entries of a map into the accumulator. It follows servers since 1.38, where an error of the accumulator ends
 * the call.
 */
function insertMapUntilError(g: Generator, { map, error, call }: InsertTarget, entries: Expr): void {
  const { writer } = g;
  writer.charge(COST.read);
  writer.branch(js`${error} === undefined`, () => {
    const { error: own } = g.attempt(() => {
      const value = g.hold('value', boxed(g, g.emit(entries)));
      writer.charge(COST.insert);
      const inserted = g.hold('out', js`${call}([${map}, ${value}], run)`);
      writer.fail(inserted, isError(g, inserted));
      return { code: map, shape: { kind: 'bool' } };
    });
    if (own !== undefined) writer.line(js`${error} = ${own};`);
  });
}

/**
 * Emits a call that inserts all entries of a map into the accumulator. Even if the first argument is an error, the second argument is
 * evaluated, as for every call with two arguments before 1.38.
 */
function insertMap(g: Generator, target: InsertTarget, entries: Expr): void {
  if (g.failuresEndCalls) return insertMapUntilError(g, target, entries);
  const { map, error, call } = target;
  const { writer } = g;
  writer.charge(COST.read + COST.insert);
  const { operand, error: own } = g.attempt(() => {
    const emitted = g.emit(entries);
    return { code: g.hold('value', boxed(g, emitted)), shape: { kind: 'value', type: g.typeOf(entries) } };
  });
  if (own !== undefined) writer.line(js`${error} ??= ${own};`);
  writer.branch(js`${error} === undefined`, () => {
    const inserted = g.hold('out', js`${call}([${map}, ${operand.code}], run)`);
    writer.line(js`if (${isError(g, inserted)}) ${error} = ${inserted};`);
  });
}
