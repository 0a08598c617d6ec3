import { compileExpression, declareType, environmentFor, wrapValue } from '#cel';
import type { CelValue, CompiledExpression } from '#cel';
import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import type { EngineName } from '#runner/linker';
import { nodeEngine } from '#runner/linker';
import { fixedText } from '#charts';
import type { BenchTable } from './bench-table.ts';
import { quotient } from '../measure/quotient.ts';
import { median, percentile } from '#benchmark';
import { object, scalar, listOfSchema } from '../engines/case-schema.ts';

const RULES = 5000;
/** Wanted: a typical rule compiled, warm; and all of them kept. */
const WANTED_US = 150;
const WANTED_BYTES = 60 * 2 ** 20;
/** Rules that the changeover to generated code is measured on, and evaluations of each; what one costs beside its units is counted as units. */
const SAMPLES = 500;
const EVALUATIONS = 20;
const EVALUATION_UNITS = 10;
const SCHEMA = object({
  name: scalar('string'),
  replicas: scalar('integer'),
  minReplicas: scalar('integer'),
  maxReplicas: scalar('integer'),
  labels: listOfSchema(scalar('string')),
  ports: listOfSchema(object({ port: scalar('integer'), name: scalar('string') })),
});

/** Rules as real definitions have them; `n` makes each one different. */
const TEMPLATES: readonly ((n: number) => string)[] = [
  (n) => `self.replicas <= ${n}`,
  (n) => `!has(self.minReplicas) || self.minReplicas <= self.replicas + ${n}`,
  (n) => `self.name != 'forbidden-${n}'`,
  (n) => `self.name.startsWith('a') || self.name.size() < ${n + 10}`,
  (n) => `self.labels.all(l, l.size() <= ${n + 63})`,
  (n) => `!('label-${n}' in self.labels)`,
  (n) => `self.ports.all(p, p.port > 0 && p.port < ${60000 + n})`,
  (n) => `self.ports.exists_one(p, p.name == 'http-${n}') || self.ports.all(p, p.name != 'http-${n}')`,
  (n) => `has(self.maxReplicas) ? self.maxReplicas >= self.replicas - ${n} : true`,
  (n) => `self.name.matches('^[a-z]([-a-z0-9]{0,${(n % 60) + 1}}[a-z0-9])?.*$')`,
];
const OBJECT = '{"name":"app","replicas":3,"minReplicas":1,"maxReplicas":5,"labels":["a","b"],"ports":[{"port":80,"name":"web"}]}';

/** What a rule costs to compile and to keep: time warm, and heap for thousands of distinct ones, each evaluated often enough to be generated code. */
export function benchRules(): BenchTable {
  const self = declareType(SCHEMA, false, LATEST_MINOR);
  const reading = readJson(OBJECT);
  if (!self || !reading.ok) throw new Error('the bench is broken');
  const environment = environmentFor(LATEST_MINOR, 'new');
  const compile = (text: string, engine: EngineName = 'adaptive'): CompiledExpression =>
    compileExpression(text, { self, oldSelf: 'plain', environment, expect: 'bool', engine: nodeEngine(engine) });
  for (let n = 0; n < 2000; n++) compile(ruleText(n + 1_000_000));
  const times: number[] = [];
  const kept: CompiledExpression[] = [];
  const before = heap();
  for (let n = 0; n < RULES; n++) {
    const text = ruleText(n);
    const started = performance.now();
    const compiled = compile(text);
    times.push(1000 * (performance.now() - started));
    kept.push(compiled);
  }
  const resident = heap() - before;
  const value = wrapValue(reading.value, SCHEMA);
  const firstEvaluations = performance.now();
  for (let round = 0; round < 20; round++)
    for (const compiled of kept) if (compiled.ok) compiled.program.evaluate({ self: value }, { costLimit: 1_000_000, token: undefined });
  const evaluating = performance.now() - firstEvaluations;
  const generated = heap() - before;
  const typical = median(times);
  const { codeUs, interpreterNs } = changeover(compile, value);
  const failed = kept.filter(({ ok }) => !ok).length;
  return {
    columns: [
      'rules',
      'compile µs p50',
      'p99',
      'heap after compiling',
      'heap after 20 evaluations each',
      'µs per evaluation',
      'code µs',
      'interpreter ns per unit',
      'units worth the code',
    ],
    rows: [
      [
        String(RULES),
        fixedText(typical, 0),
        fixedText(percentile(times, 99), 0),
        megabytes(resident),
        megabytes(generated),
        ((1000 * evaluating) / (20 * RULES)).toFixed(1),
        fixedText(codeUs, 0),
        fixedText(interpreterNs, 0),
        fixedText(quotient(codeUs && 1000 * codeUs, interpreterNs), 0),
      ],
    ],
    failedGates: [
      ...(failed === 0 ? [] : [`${failed} rules do not compile`]),
      ...(typical === undefined || typical <= WANTED_US ? [] : [`compiling takes ${typical.toFixed(0)} µs; wanted ${WANTED_US}`]),
      ...(generated <= WANTED_BYTES ? [] : [`${megabytes(generated)} for ${RULES} rules; wanted ${megabytes(WANTED_BYTES)}`]),
    ],
    notes: [
      'Compiling is parse, check, validate, estimate and plan of a rule that was not seen before, in a warm process.',
      'Code: generating and linking beyond that. Units worth the code: what the interpreter spends in the same time, which is what a rule may cost before code is made for it (`PATIENCE` in libs/cel/src/engines/adaptive-program.ts).',
    ],
  };
}

/** What code for a rule takes, and what the interpreter does meanwhile. */
function changeover(
  compile: (text: string, engine: EngineName) => CompiledExpression,
  value: CelValue,
): { readonly codeUs: number | undefined; readonly interpreterNs: number | undefined } {
  const time = (engine: EngineName, from: number): number | undefined => {
    const times: number[] = [];
    for (let n = from; n < from + SAMPLES; n++) {
      const started = performance.now();
      compile(ruleText(n), engine);
      times.push(1000 * (performance.now() - started));
    }
    return median(times);
  };
  // The generator has to be warm, as the rest of the compiler is by now.
  for (const from of [5_000_000, 6_000_000]) time('compiled', from);
  const [compiled, interpreted] = [time('compiled', 2_000_000), time('interpreted', 3_000_000)];
  const codeUs = compiled === undefined || interpreted === undefined ? undefined : compiled - interpreted;
  const unitTimes: number[] = [];
  for (let n = 4_000_000; n < 4_000_000 + SAMPLES; n++) {
    const rule = compile(ruleText(n), 'interpreted');
    if (!rule.ok) continue;
    let units = 0;
    const started = performance.now();
    for (let i = 0; i < EVALUATIONS; i++)
      units += rule.program.evaluate({ self: value }, { costLimit: 1_000_000, token: undefined }).cost + EVALUATION_UNITS;
    if (units > 0) unitTimes.push((1e6 * (performance.now() - started)) / units);
  }
  return { codeUs, interpreterNs: median(unitTimes) };
}

function ruleText(n: number): string {
  return TEMPLATES[n % TEMPLATES.length]?.(n) ?? 'true';
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
