import { AdaptiveProgram } from './adaptive-program.ts';
import { ExpressionProgram, linkCode, RuleProgram } from './codegen/compiled-program.ts';
import type { Linker } from './codegen/compiled-program.ts';
import { ANY_DATA, generate, generatePrice, isTooLong } from './codegen/generate.ts';
import type { Generated, GeneratedPrice } from './codegen/generate.ts';
import { planInterpreted } from './interpret/plan.ts';
import { planWhenRun } from './interpret/plan-when-run.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { Environment } from '../language/environment.ts';
import type { CodeVariables } from './codegen/variables.ts';
import { GeneratedRun } from './program.ts';
import type {
  CodeLayout,
  DirectCode,
  Evaluation,
  EvaluationLimits,
  GeneratedRule,
  PriceCode,
  Program,
  ProgramResult,
  RulePrice,
  Variables,
} from './program.ts';
import type { InterpretedProgram } from './interpret/interpreted-program.ts';
import type { Column } from '#go';
import { emitNode } from './codegen/emit.ts';
import { boxed } from './codegen/boxing.ts';
import { Generator, TOO_LONG } from './codegen/generator.ts';
import { joined, js } from '../library/code/javascript.ts';
import { INT_SHAPE } from '../library/code/shape.ts';
import { textElement } from './codegen/list-access.ts';
import type { ColumnText } from './codegen/list-access.ts';
import type { Operand } from '../library/code/shape.ts';
import type { Fragment } from '../library/code/javascript.ts';

/**
 * Engine that evaluates a CEL program. `adaptive`: the interpreter at first, and generated code after enough evaluations. `compiled`:
 * generated code from the start, if the generator supports all parts of the expression. Both need `link`, which turns generated code into
 * functions. `interpreted`: the interpreter only. `measured`: the interpreter, and each evaluation reports the cost of every node of the
 * expression.
 */
export type EngineChoice = 'interpreted' | 'measured' | { readonly kind: 'adaptive' | 'compiled'; readonly link: Linker };

/**
 * Text of {@link Program.obstacle} if the caller chose no engine. The expression is then interpreted, because generated code needs a
 * linker, which the caller passes with its choice of engine (`link`).
 */
const NO_LINKER = 'no linker was handed in';

/**
 * Prepares a checked expression for evaluation by the chosen engine. If no engine is chosen, the expression is interpreted.
 *
 * @param checked Returns the expression. It is called when the expression is planned or code is generated for it.
 * @param variables Facts about the variables that the code generator needs. The interpreter reads all variables by name.
 * @param plan Returns the interpreter's program. Callers pass it if they already have such a program.
 */
export function planProgram(
  checked: () => CheckedExpression,
  environment: Environment,
  variables: CodeVariables,
  engine: EngineChoice | undefined,
  plan: () => ProgramResult = () => planWhenRun(checked, environment),
): ProgramResult {
  if (engine === 'measured') {
    const observed = planInterpreted(checked(), environment, { observed: true });
    return observed.ok ? { ok: true, program: new MeasuredProgram(observed.program) } : observed;
  }
  const planned = plan();
  if (!planned.ok) return planned;
  const interpreted = planned.program;
  if (engine === undefined) return { ok: true, program: new InterpretedFallback(interpreted, NO_LINKER) };
  if (engine === 'interpreted') return { ok: true, program: interpreted };
  const { link } = engine;
  const { semantics } = environment;
  const linked = (generated: Generated): Linked => {
    if (!generated.ok) return generated;
    const result = linkCode(link, generated.source, generated.constants);
    return result.ok ? { ok: true, made: result.linked, runsLong: generated.runsLong } : result;
  };
  const direct = (code: Linked): DirectCode | undefined =>
    code.ok ? { rule: code.made as GeneratedRule, runsLong: code.runsLong, run: new GeneratedRun(semantics) } : undefined;
  const priced = (generated: GeneratedPrice): PriceCode | undefined => {
    const code = linked(generated);
    if (!code.ok) return undefined;
    return { price: code.made as RulePrice, fields: generated.fields, runsLong: code.runsLong, run: new GeneratedRun(semantics) };
  };
  function special(layout: 'valid'): PriceCode | undefined;
  function special(layout: Exclude<CodeLayout, 'valid' | 'value'>): DirectCode | undefined;
  function special(layout: Exclude<CodeLayout, 'value'>): DirectCode | PriceCode | undefined {
    if (layout === 'valid') return variables.kind === 'rule' ? priced(generatePrice(checked(), environment, variables.self)) : undefined;
    if ('elements' in layout) return direct(linked(generateElements(checked(), environment, layout.elements)));
    return direct(linked(generate(checked(), environment, variables, { columns: layout.columns, isValid: false })));
  }
  const compile = (): Program => {
    const code = linked(generate(checked(), environment, variables));
    if (!code.ok) return new InterpretedFallback(interpreted, code.obstacle);
    const made = { rule: code.made as GeneratedRule, runsLong: code.runsLong, semantics, interpreted, special, rebuild: compile };
    return variables.kind === 'rule' ? new RuleProgram(made) : new ExpressionProgram(made);
  };
  return { ok: true, program: engine.kind === 'compiled' ? compile() : new AdaptiveProgram(interpreted, compile) };
}

/** A linked function, or the reason why no code was linked. Only the generator knows the type of the function. */
type Linked = { readonly ok: true; readonly made: unknown; readonly runsLong: boolean } | { readonly ok: false; readonly obstacle: string };

/** An interpreted program for an expression for which no code was generated or linked. `obstacle` contains the reason. */
class InterpretedFallback implements Program {
  readonly engine = 'interpreted';
  readonly obstacle: string;
  readonly #program: Program;
  constructor(program: Program, obstacle: string) {
    this.#program = program;
    this.obstacle = obstacle;
  }
  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#program.evaluate(variables, limits);
  }
}

/** An interpreted program that also reports the cost and the number of evaluations of each node. */
class MeasuredProgram implements Program {
  readonly engine = 'interpreted';
  readonly #program: InterpretedProgram;

  /** @param program Program that was planned with the option `observed`. */
  constructor(program: InterpretedProgram) {
    this.#program = program;
  }

  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation {
    return this.#program.explain(variables, limits);
  }
}

/**
 * Code that reads the elements of a column one after another as `self`. A column is a long list of integers or texts that is read in place.
 */
interface ElementCode {
  /** Declarations for the whole column, which run once before the loop. */
  readonly column: Fragment;
  /** Declarations for the element at index `i`, which run in each iteration. */
  readonly element: Fragment;
  readonly self: Operand;
}

/** Returns the code that reads the elements of a text column, in which each element is a part of one common text. */
const texts = (column: Fragment, text: ColumnText): ElementCode => ({
  column,
  element: js`const from = places[2 * i], to = places[2 * i + 1]; let self;`,
  self: textElement(text, { from: js`from`, to: js`to`, item: js`self` }),
});

const ELEMENTS: Readonly<Record<Column['layout'], ElementCode>> = {
  ints: {
    column: js`const values = column.values, count = values.length;`,
    element: js`const self = values[i];`,
    self: { code: js`self`, shape: INT_SHAPE },
  },
  bytes: texts(js`const bytes = column.bytes, places = column.places, count = column.length; let text;`, {
    text: js`(text ??= column.text)`,
    unitAt: (at) => js`bytes[${at}]`,
  }),
  text: texts(js`const text = column.text, places = column.places, count = column.length;`, {
    text: js`text`,
    unitAt: (at) => js`text.charCodeAt(${at})`,
  }),
};

/** Number of elements between two checks of the cancellation token. */
const ELEMENTS_PER_POLL = 1000;

/**
 * Generates a function that evaluates a rule for all elements of a column in one loop, with each element as `self`. A column is a long list
 * of scalars that is read in place. The function returns true, and stores the total cost, if the rule is true for every element and no
 * evaluation exceeds the cost limit. For any other outcome it returns false, an error, or undefined.
 */
function generateElements(checked: CheckedExpression, environment: Environment, layout: Column['layout']): Generated {
  const g = new Generator({ checked, environment, ...ANY_DATA }, emitNode);
  const { column, element, self } = ELEMENTS[layout];
  const value = g.within([['self', () => self]], () => boxed(g, g.emit(checked.root)));
  if (g.obstacle !== undefined) return { ok: false, obstacle: g.obstacle };
  g.writer.flush();
  const head = joined(
    [
      ...g.constants.declarations(),
      js`return function elements(column, none, limit, token, run) {`,
      column,
      js`let total = 0;
for (let i = 0; i < count; ) {
const stop = Math.min(i + ${ELEMENTS_PER_POLL}, count);
for (; i < stop; i++) {
let cost = 0;`,
      element,
    ],
    '\n',
  );
  const tail = js`if (${value} !== true || cost > limit) return false;
total += cost;
}
if (token.cancelled) return undefined;
}
run.cost = total;
return true;
};`;
  const source = `"use strict";\n${head.source}\n${g.writer.source()}\n${tail.source}`;
  if (isTooLong(source)) return { ok: false, obstacle: TOO_LONG };
  return { ok: true, source, constants: g.constants.values, runsLong: true };
}
