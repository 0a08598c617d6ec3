import { LATEST_MINOR, MINORS } from '#kube';
import { environmentFor } from '../language/environment.ts';
import { planProgram } from '../engines/plan-program.ts';
import { formatValue } from '../values/format-value.ts';
import { CelError, NONE, Optional } from '../values/value.ts';
import type { CelValue } from '../values/value.ts';
import { wrapValue } from '../values/wrap.ts';
import { compile, declaredOf, schemaOf } from './compile-fixture.ts';
import { seededCongruence } from '../../../../testing/seeded-random.ts';
import { RANDOM_SCHEMA, RandomExpressions } from './random-expressions.ts';
import { RANDOM_OBJECTS } from './random-objects.ts';
import type { Minor } from '#kube';
import { nodeEngine } from '#runner/linker';
import type { Evaluation, Program } from '../engines/program.ts';

/** Counts and differences that a run of the differential fuzzer returns. */
export interface DifferentialRun {
  readonly evaluations: number;
  /**
   * Number of expressions that compile for the latest Kubernetes minor version. `generated` is the number of these expressions that have
   * generated code.
   */
  readonly expressions: number;
  readonly generated: number;
  /**
   * Number of generated texts that do not compile for the latest Kubernetes minor version. Examples are the literal `{}` without a known
   * type, or a constant part that fails.
   */
  readonly refused: number;
  /** Number of evaluations that exceeded their cost limit. */
  readonly cut: number;
  /** Number of evaluations that ended with an error of the expression. */
  readonly failed: number;
  /** Descriptions of differences between the engines. The run stops after a few differences. */
  readonly differences: readonly string[];
}

/** Kubernetes minor versions with different behaviour of values or costs, used in turn. The newest one may be a preview. */
const TRIED: readonly Minor[] = [LATEST_MINOR, '1.30', MINORS.at(-1)!, LATEST_MINOR, '1.34'];
const OLD_SELF = ['plain', 'optional', 'unmentioned'] as const;
const KINDS = ['bool', 'int', 'bool', 'dyn', 'bool', 'map', 'strings', 'bool', 'ints', 'double', 'bool', 'string'] as const;
/** Number of objects that each expression is evaluated on. */
const OBJECTS_EACH = 3;
/** Cost limits of the evaluations, in cost units. Most evaluations stay below their limit; some are stopped in the middle. */
const LIMITS = [20_000, 40, 20_000, 400, 20_000, 3, 20_000] as const;
const REPORTED = 10;

const schema = schemaOf(RANDOM_SCHEMA);
const values = RANDOM_OBJECTS.map((raw) => wrapValue(raw, schema));

/** Evaluates random expressions with the interpreter and with generated code, and compares value, error and cost. */
export function runDifferential(seed: number, count: number): DifferentialRun {
  const random = OLD_SELF.map((oldSelf) => new RandomExpressions(seed, oldSelf));
  const dice = seededCongruence(seed + 1);
  const run = { evaluations: 0, expressions: 0, generated: 0, refused: 0, cut: 0, failed: 0, differences: [] as string[] };
  for (let n = 0; n < count && run.differences.length < REPORTED; n++) {
    const minor = TRIED[n % TRIED.length]!;
    const mention = OLD_SELF[n % OLD_SELF.length]!;
    const rule = random[n % OLD_SELF.length]!.of(KINDS[n % KINDS.length]!, 1 + (n % 5));
    const oldSelf = mention === 'optional' ? 'optional' : 'plain';
    const engines = programsOf(rule, minor, oldSelf);
    if (engines === undefined) {
      if (minor === LATEST_MINOR) run.refused++;
      continue;
    }
    if (minor === LATEST_MINOR) {
      run.expressions++;
      if (engines.compiled.engine === 'compiled') run.generated++;
    }
    const first = Math.floor(dice() * values.length);
    for (let k = 0; k < OBJECTS_EACH; k++) {
      const at = (first + k * 2) % values.length;
      const old = values[(at * 5 + 1) % values.length]!;
      const given = oldSelf === 'plain' ? old : at % 3 === 0 ? NONE : new Optional(old);
      const limit = LIMITS[(n + k) % LIMITS.length]!;
      const ours = evaluate(engines.compiled, values[at]!, given, limit);
      const reference = evaluate(engines.interpreted, values[at]!, given, limit);
      run.evaluations++;
      if (reference.value instanceof CelError) run[reference.value.fatal ? 'cut' : 'failed']++;
      if (text(ours) !== text(reference))
        run.differences.push(
          `${minor}: ${rule} on object ${at}, limit ${limit}: ${text(ours)} where the interpreter has ${text(reference)}`,
        );
    }
  }
  return run;
}

/**
 * Returns a program with generated code and a program for the interpreter. Returns undefined if the expression does not compile, which is
 * frequent for older Kubernetes minor versions.
 */
function programsOf(
  rule: string,
  minor: Minor,
  oldSelf: 'plain' | 'optional',
): { readonly compiled: Program; readonly interpreted: Program } | undefined {
  const environment = environmentFor(minor, 'stored');
  const interpreted = compile(rule, RANDOM_SCHEMA, { oldSelf, environment, engine: 'interpreted' });
  if (!interpreted.ok) return undefined;
  const compiled = planProgram(
    () => interpreted.checked,
    environment,
    { kind: 'rule', self: declaredOf(RANDOM_SCHEMA) },
    nodeEngine('compiled'),
  );
  if (!compiled.ok) throw new Error(`${rule}: ${compiled.error}`);
  return { compiled: compiled.program, interpreted: interpreted.program };
}

function evaluate(program: Program, self: CelValue, oldSelf: CelValue, costLimit: number): Evaluation {
  return program.evaluate({ self, oldSelf }, { costLimit, token: undefined });
}

const text = ({ value, cost }: Evaluation): string => `${value instanceof CelError ? value.message : formatValue(value)} at ${cost}`;
