import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationLine } from '#benchmark';
import { fixedText } from '#charts';
import { threadCpuMs } from '../../../testing/thread-cpu.ts';
import { buildGoProgram } from '../engines/go-program.ts';
import { quotient } from '../measure/quotient.ts';
import { UNLIMITED } from '../workloads/judging.ts';
import type { BenchTable } from './bench-table.ts';
import { nameOf, NATIVE_CASES, ruleOf, ruledSchema, selfOf } from './natives/native-rules.ts';
import type { NativeCase } from './natives/native-case.ts';
import type { RuleReading } from './predictions/rule-evaluations.ts';

/** Most time that a function may take, as a multiple of the time of Go. */
const MOST_TIMES_GO = 5;
/** Time in ms below which a ratio says nothing, because the evaluation of the rule itself takes this time. */
const LEAST_MS = 0.05;

/**
 * Measures the rules of all functions whose work grows with their data, on large data. Prints the time of an evaluation by generated code as
 * in the service, and that of Go with the libraries of Kubernetes.
 */
export function benchNatives(quick: boolean): BenchTable {
  const go = goTimes(quick);
  const measured = NATIVE_CASES.map((one) => {
    const ms = ownMs(one, quick);
    const goMs = typeof go === 'string' ? undefined : go.get(nameOf(one));
    return { name: nameOf(one), rule: one.rule, ms, goMs, ratio: goMs === undefined ? undefined : quotient(ms, Math.max(goMs, LEAST_MS)) };
  });
  const ordered = typeof go === 'string' ? measured : measured.toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
  return {
    columns: ['function, data', 'Assay ms', ...(typeof go === 'string' ? [] : ['Go ms', 'Assay ÷ Go']), 'rule'],
    rows: ordered.map(({ name, rule, ms, goMs, ratio }) => [
      name,
      fixedText(ms, 3),
      ...(typeof go === 'string' ? [] : [fixedText(goMs, 3), fixedText(ratio, 2)]),
      rule,
    ]),
    wanted: [{ name: 'Assay ÷ Go, of the slowest function', value: worst(measured.map(({ ratio }) => ratio)), most: MOST_TIMES_GO }],
    notes: [
      `The fastest evaluations of the compiled rule, on values that were read anew. Ratios to less than ${LEAST_MS} ms of Go are ratios to ${LEAST_MS} ms.`,
      typeof go === 'string' ? `Go: not measured, ${go}.` : 'Go: the validator of apiextensions-apiserver, CPU time of one thread.',
    ],
  };
}

function worst(ratios: readonly (number | undefined)[]): number | undefined {
  const known = ratios.filter((ratio) => ratio !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Returns the least CPU time of an evaluation in ms. Each evaluation has its own value, because engines keep facts about texts. */
function ownMs(one: NativeCase, quick: boolean): number {
  const lone = ruleOf(one, 'compiled');
  const [least, runs, ms] = quick ? [3, 10, 100] : [6, 60, 400];
  let [fastest, spent] = [Infinity, 0];
  for (let run = 0; run < least || (run < runs && spent < ms); run++) {
    const self = selfOf(one);
    const started = threadCpuMs();
    const evaluation = lone.evaluate(self, undefined, { costLimit: UNLIMITED, token: undefined });
    const took = threadCpuMs() - started;
    if (evaluation?.value !== true) throw new Error(`${one.rule} is not true`);
    spent += took;
    fastest = Math.min(fastest, took);
  }
  return fastest;
}

/** Returns the times of the rules in Go in ms, by the name of the case. Returns a text with the reason if they cannot be measured. */
function goTimes(quick: boolean): ReadonlyMap<string, number> | string {
  const program = buildGoProgram('rule-times');
  if (typeof program === 'string') return program;
  const times = new Map<string, number>();
  const file = join(program.folder, 'evaluations.ndjson');
  for (const one of NATIVE_CASES) {
    const name = nameOf(one);
    const text = { schema: JSON.stringify(ruledSchema(one)), root: false, value: JSON.stringify(one.value()) };
    writeFileSync(file, evaluationLine(name, text));
    const [reading] = program.rows<RuleReading>(['-evaluations', file, '-min', quick ? '30ms' : '100ms', '-rounds', quick ? '1' : '2']);
    if (reading === undefined || reading.error !== undefined) throw new Error(`${name} in Go: ${reading?.error ?? 'no reading'}`);
    times.set(name, reading.ns / 1e6);
  }
  program.close();
  return times;
}
