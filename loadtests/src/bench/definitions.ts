import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fixedText } from '#numbers';
import type { BenchTable, WantedFigure } from './bench-table.ts';
import { measureGoSteps } from '../engines/go-steps.ts';
import { runMeasurement } from '../engines/run-measurement.ts';
import { quotient } from '../measure/quotient.ts';
import { PROJECT } from '../places.ts';
import { CORPORA } from '../workloads/object-cases.ts';

/** Real definitions that have the most rules. */
const FILES = [
  'crds/agentgateway__agentgateway/agentgatewaybackends.agentgateway.dev.yaml',
  'crds/openshift__hypershift/hostedclusters.hypershift.openshift.io.yaml',
  'crds/agentgateway__agentgateway/agentgatewaypolicies.agentgateway.dev.yaml',
  'crds/kserve__kserve/llminferenceservices.serving.kserve.io.yaml',
  'crds/envoyproxy__gateway/securitypolicies.gateway.envoyproxy.io.yaml',
];
const EXAMPLE = resolve(PROJECT, 'examples/gateway-api/httproute-crd.yaml');
/**
 * Highest allowed compile times as multiples of Go's time: in a process that has compiled before (`WANTED_WARM`), and in a new process
 * (`WANTED_COLD`).
 */
const WANTED_WARM = 0.25;
const WANTED_COLD = 0.8;
/** Highest allowed compile time in ms, in a new process, of a definition with at least `MANY_RULES` rules. */
const WANTED_COLD_MS = 65;
const MANY_RULES = 490;
/** Names of the steps whose times add up to Go's time for a definition. Reading YAML is not measured for Go or for Assay. */
const GO_STEPS: readonly string[] = ['json-decode', 'structural', 'openapi-validator', 'cel-programs', 'crd-validation'];

interface CompileTimes {
  readonly coldMs: number;
  readonly coldCpuMs: number;
  readonly warmMs: number;
  readonly rules: number;
  readonly bytes: number;
}

/** Measures the time in ms from the bytes of a definition until all of its versions are compiled, and compares it with Go. */
export function benchDefinitions(quick: boolean): BenchTable {
  const real = FILES.map((file) => resolve(CORPORA, file)).filter((file) => existsSync(file));
  const go = real.length > 0 ? goMs() : 'the corpora are not beside the project';
  const measured = (real.length > 0 ? real : [EXAMPLE]).map((file): Measured => {
    const name = basename(file, '.yaml');
    const [times] = runMeasurement<CompileTimes>({ from: import.meta.url, path: '../engines/measure-definition' }, [
      file,
      quick ? '5' : '12',
    ]);
    if (times === undefined) throw new Error(`${name} was not compiled in time`);
    return { name, times, goMs: typeof go === 'string' ? undefined : go.get(name) };
  });
  return {
    columns: ['definition', 'bytes', 'rules', 'cold ms', 'cold CPU ms', 'warm ms', 'Go ms'],
    rows: measured.map(({ name, times, goMs: peer }) => [
      name,
      String(times.bytes),
      String(times.rules),
      ...[times.coldMs, times.coldCpuMs, times.warmMs, peer].map((ms) => fixedText(ms, 0)),
    ]),
    wanted: measured.flatMap(wantedFigures),
    notes: [
      'ms from JSON bytes to all versions compiled: decoded, admitted with all costs estimated, structural schema, rules; nodes of validators and plans of rules are made when a value asks, which Go does at once. Cold: the first in a fresh process; warm: median of later ones, each after another definition, so that nothing of it is known.',
      typeof go === 'string'
        ? `Go: not measured, ${go}.`
        : 'Go: the sum of the same steps of apiextensions-apiserver, each the best of two or three.',
    ],
  };
}

/** The figures of one definition. */
interface Measured {
  readonly name: string;
  readonly times: CompileTimes;
  readonly goMs: number | undefined;
}

function wantedFigures({ name, times, goMs: peer }: Measured): WantedFigure[] {
  return [
    { name: `${name}: cold ÷ Go`, value: quotient(times.coldMs, peer), most: WANTED_COLD },
    { name: `${name}: warm ÷ Go`, value: quotient(times.warmMs, peer), most: WANTED_WARM },
    ...(times.rules >= MANY_RULES ? [{ name: `${name}: cold ms`, value: times.coldMs, most: WANTED_COLD_MS }] : []),
  ];
}

/** Returns Go's times in ms by definition, or the reason why Go cannot be measured. */
function goMs(): ReadonlyMap<string, number> | string {
  const steps = measureGoSteps(['-mode', 'compile', '-corpora', CORPORA, '-files', FILES.join(',')]);
  if (typeof steps === 'string') return steps;
  const sums = new Map<string, number>();
  for (const { name, step, micros } of steps) if (GO_STEPS.includes(step)) sums.set(name, (sums.get(name) ?? 0) + micros / 1000);
  return sums;
}
