import { CelError, isList, isMap, LibraryValue, Optional, toText, Uint } from '#cel';
import type { Program, Variables, CelValue } from '#cel';
import { writeJson, base64Text, Float, isJsonObject, newJsonObject } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import type { ExpressionQuestion, ExpressionResult } from './evaluate-expression.ts';
import type { JsonValue } from '#go';

/** The engine that evaluates an expression after enough evaluations, and the reason if this is not generated code. */
export interface ExpressionTrace {
  readonly engine: Program['engine'];
  /**
   * Cost units that the interpreter spends on the expression before generated code evaluates it. Absent if the engine never changes. Each
   * evaluation counts for some units more than its cost.
   */
  readonly interpretedUnits?: number;
  /** Reason why no code is generated; absent if code is generated. */
  readonly obstacle?: string;
}

/** One evaluation of an expression, with the engine that runs it. */
export class TracedEvaluation {
  readonly #program: Program;
  /** Cost units that the interpreter may spend before generated code takes over; undefined if the engine never changes. */
  readonly #warmupCost: number | undefined;

  /** @param program Program that was not evaluated before. */
  constructor(program: Program) {
    this.#program = program;
    this.#warmupCost = program.warmupCost;
  }

  /** Evaluates the expression. Returns its value as JSON text, or its error, with the cost. The engine is set only with `traces`. */
  run(variables: Variables, { token, traces }: Pick<ExpressionQuestion, 'token' | 'traces'>): ExpressionResult {
    const { value, cost } = this.#program.evaluate(variables, { costLimit: PER_CALL_LIMIT, token });
    const engine = traces === true && { engine: this.#engineOf(cost) };
    if (value instanceof CelError) return { ok: false, error: value.message, cost, ...engine };
    return { ok: true, value: writeJson(jsonOfValue(value)), cost, ...engine };
  }

  /** Trace of the expression. Reading it generates code, so it must be read after {@link run}. */
  get trace(): ExpressionTrace {
    const { engine, obstacle } = this.#program;
    if (engine === 'interpreted') return { engine, ...(obstacle !== undefined && { obstacle }) };
    return { engine, ...(this.#warmupCost !== undefined && { interpretedUnits: this.#warmupCost }) };
  }

  /** Returns the engine of an evaluation with the given cost. An evaluation that costs more than the patience ends in generated code. */
  #engineOf(cost: number): Program['engine'] {
    return this.#warmupCost !== undefined && cost <= this.#warmupCost ? 'interpreted' : this.#program.engine;
  }
}

/**
 * Converts a CEL value to JSON. Lists, maps, strings, booleans, numbers and null are kept. An optional becomes its value or null, bytes
 * become base64, and other values become the text of `string(x)`.
 */
function jsonOfValue(value: CelValue): JsonValue {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (value instanceof Uint) return value.value;
  if (value instanceof Uint8Array) return base64Text(value);
  if (value instanceof Optional) return value.value === undefined ? null : jsonOfValue(value.value);
  if (isList(value)) return Array.from({ length: value.size }, (_, index) => jsonOfValue(value.at(index)));
  if (!isMap(value)) return textOf(value);
  const object = newJsonObject();
  if (value.raw !== undefined && isJsonObject(value.raw)) return value.raw;
  for (const key of value.keys()) object[textOf(key)] = jsonOfValue(value.get(key) ?? null);
  return object;
}

function textOf(value: CelValue): string {
  const text = value instanceof LibraryValue ? value.toString() : toText(value);
  return typeof text === 'string' ? text : '';
}
