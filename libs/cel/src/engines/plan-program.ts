import { AdaptiveProgram } from './adaptive-program.ts';
import { ExpressionProgram, RuleProgram } from './codegen/compiled-program.ts';
import { generateElements } from './codegen/generate-elements.ts';
import { generatePrice } from './codegen/generate-price.ts';
import type { GeneratedPrice } from './codegen/generate-price.ts';
import { generate } from './codegen/generate.ts';
import type { Generated } from './codegen/generate.ts';
import { linkCode } from './codegen/link.ts';
import { MeasuredProgram } from './measured-program.ts';
import { planInterpreted } from './interpret/plan.ts';
import { planWhenRun } from './interpret/plan-when-run.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { Environment } from '../language/environment.ts';
import type { CodeVariables } from './codegen/variables.ts';
import { GeneratedRun } from './codegen/generated-rule.ts';
import type { DirectCode, GeneratedRule, PriceCode, RulePrice } from './codegen/generated-rule.ts';
import type { Linker } from './codegen/link.ts';
import type { CodeLayout, Evaluation, EvaluationLimits, Program, ProgramResult, Variables } from './program.ts';

/**
 * Engine that evaluates a CEL program. `adaptive`: the interpreter at first, and generated code after enough evaluations. `compiled`:
 * generated code from the start, if the generator supports all parts of the expression. Both need `link`, which turns generated code into
 * functions. `interpreted`: the interpreter only. `measured`: the interpreter, and each evaluation reports the cost of every node of the
 * expression.
 */
export type EngineChoice = 'interpreted' | 'measured' | { readonly kind: 'adaptive' | 'compiled'; readonly link: Linker };

/**
 * Text of {@link Program.obstacle} if the caller chose no engine. The expression is then interpreted, because generated code needs a
 * linker, which is a part of the engine.
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
