import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationLine } from '#benchmark';
import { fixedText } from '#numbers';
import { buildGoProgram } from '../engines/go-program.ts';
import type { GoProgram } from '../engines/go-program.ts';
import { quotient } from '../measure/quotient.ts';
import { parsed, UNLIMITED } from '../workloads/judging.ts';
import type { BenchTable } from './bench-table.ts';
import { KEYWORD_CASES } from './natives/keyword-cases.ts';
import type { KeywordCase } from './natives/keyword-cases.ts';
import { nameOf, NATIVE_CASES, ruledSchema, ruleOf, schemaRule, selfOf } from './natives/native-rules.ts';
import type { NativeCase } from './natives/native-case.ts';
import type { RuleReading } from './predictions/rule-evaluations.ts';

/** Most time that a function or keyword may take, as a multiple of the time of Go. */
const MAX_TIMES_GO = 5;
/** Shortest time in ms to which times are compared. The evaluation of a rule or schema itself takes about this time. */
const MIN_MS = 0.05;

/** Work to measure: its name, how Assay does it, and its schema and value for the Go program. */
interface Native {
  readonly name: string;
  readonly detail: string;
  /**
   * Compiles the rule or schema. The result makes a new value, and returns a function that does the work on it. Each run has its own value,
   * because engines keep facts about texts.
   */
  readonly compile: () => () => () => void;
  readonly schema: object;
  readonly value: () => unknown;
}

/**
 * Measures the rules of all functions, and all keywords, whose work grows with their data, on large data. Prints the time of the generated
 * code of the rule, or of the validator of the schema. Also prints the time of Go with the libraries of Kubernetes.
 */
export function benchNatives(quick: boolean): readonly BenchTable[] {
  const go = buildGoProgram('rule-times');
  const tables = [
    tableOf('function, data', NATIVE_CASES.map(ofRule), { go, quick, arguments: [] }),
    tableOf('keyword, data', KEYWORD_CASES.map(ofKeyword), { go, quick, arguments: ['-keywords'] }),
  ];
  if (typeof go !== 'string') go.close();
  return tables;
}

function ofRule(one: NativeCase): Native {
  const compile = () => {
    const lone = ruleOf(one, 'compiled');
    return () => {
      const self = selfOf(one);
      return () => {
        const evaluation = lone.evaluate(self, undefined, { costLimit: UNLIMITED, token: undefined });
        if (evaluation?.value !== true) throw new Error(`${one.rule} is not true`);
      };
    };
  };
  return { name: nameOf(one), detail: one.rule, compile, schema: ruledSchema(one), value: one.value };
}

function ofKeyword({ name, schema: field, field: value }: KeywordCase): Native {
  const schema = { type: 'object', properties: { f: field } };
  const compile = () => {
    const lone = schemaRule({ ...schema, 'x-kubernetes-validations': [{ rule: 'true' }] }, 'compiled');
    return () => {
      const self = parsed({ f: value() });
      return () => void lone.refusals(self);
    };
  };
  return { name, detail: '', compile, schema, value: () => ({ f: value() }) };
}

/** Go program, or the reason why there is none, and how it is run. */
interface Measuring {
  readonly go: GoProgram | string;
  readonly quick: boolean;
  readonly arguments: readonly string[];
}

function tableOf(title: string, natives: readonly Native[], measuring: Measuring): BenchTable {
  const { go, quick } = measuring;
  const measured = natives.map((native) => {
    const ms = ownMs(native, quick);
    const goMs = typeof go === 'string' ? undefined : goMillis(native, go, measuring);
    return { native, ms, goMs, ratio: goMs === undefined ? undefined : quotient(ms, Math.max(goMs, MIN_MS)) };
  });
  const ordered = measured.toSorted((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0));
  const ratios = measured.flatMap(({ ratio }) => ratio ?? []);
  return {
    columns: [title, 'Assay ms', ...(typeof go === 'string' ? [] : ['Go ms', 'Assay ÷ Go']), 'rule'],
    rows: ordered.map(({ native, ms, goMs, ratio }) => [
      native.name,
      fixedText(ms, 3),
      ...(typeof go === 'string' ? [] : [fixedText(goMs, 3), fixedText(ratio, 2)]),
      native.detail,
    ]),
    wanted: [
      { name: `Assay ÷ Go, the slowest ${title}`, value: ratios.length === 0 ? undefined : Math.max(...ratios), most: MAX_TIMES_GO },
    ],
    isForInformation: true,
    notes: [
      `The fastest runs, each on a value that was read anew. Where Go takes less than ${MIN_MS} ms, the ratio is that to ${MIN_MS} ms.`,
      typeof go === 'string' ? `Go: not measured, ${go}.` : 'Go: the libraries of apiextensions-apiserver, CPU time of one thread.',
    ],
  };
}

/** Returns the time of the fastest run in ms. */
function ownMs({ compile }: Native, quick: boolean): number {
  const prepare = compile();
  const [least, most, ms] = quick ? [3, 10, 100] : [6, 60, 300];
  let [fastest, spent] = [Infinity, 0];
  for (let run = 0; run < least || (run < most && spent < ms); run++) {
    const work = prepare();
    const started = performance.now();
    work();
    const took = performance.now() - started;
    spent += took;
    fastest = Math.min(fastest, took);
  }
  return fastest;
}

/** Returns the time of a native in Go in ms. Throws if the Go program cannot evaluate it. */
function goMillis({ name, schema, value }: Native, go: GoProgram, { quick, arguments: flags }: Measuring): number {
  const file = join(go.folder, 'evaluations.ndjson');
  writeFileSync(file, evaluationLine(name, { schema: JSON.stringify(schema), root: false, value: JSON.stringify(value()) }));
  const options = ['-min', quick ? '30ms' : '100ms', '-rounds', quick ? '1' : '2'];
  const [reading] = go.rows<RuleReading>([...flags, '-evaluations', file, ...options]);
  if (reading === undefined || reading.error !== undefined) throw new Error(`${name} in Go: ${reading?.error ?? 'no reading'}`);
  return reading.ns / 1e6;
}
