import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Table } from '../experiments/experiment.ts';
import { buildGoProgram } from './go-program.ts';

const SOURCE = import.meta.url.endsWith('.ts');
const ROOT = resolve(import.meta.dirname, SOURCE ? '../../..' : '../../../..');
const CORPORA = resolve(ROOT, '../shared/corpora');
const CELL = fileURLToPath(new URL(`./definition-cell${SOURCE ? '.ts' : '.js'}`, import.meta.url));
/** The real definitions with most rules. */
const FILES = [
  'crds/agentgateway__agentgateway/agentgatewaybackends.agentgateway.dev.yaml',
  'crds/openshift__hypershift/hostedclusters.hypershift.openshift.io.yaml',
  'crds/agentgateway__agentgateway/agentgatewaypolicies.agentgateway.dev.yaml',
  'crds/kserve__kserve/llminferenceservices.serving.kserve.io.yaml',
  'crds/envoyproxy__gateway/securitypolicies.gateway.envoyproxy.io.yaml',
];
const EXAMPLE = resolve(ROOT, 'examples/gateway-api/httproute-crd.yaml');
/** Wanted, as multiples of Go's time: of a process that has compiled before, and of one that has not. */
const WANTED_WARM = 0.25;
const WANTED_COLD = 1;
/** What Go does with a definition; its reading of YAML is left out, as is ours. */
const GO_STEPS: readonly string[] = ['json-decode', 'structural', 'openapi-validator', 'cel-programs', 'crd-validation'];

interface Cell {
  readonly coldMs: number;
  readonly warmMs: number;
  readonly rules: number;
  readonly bytes: number;
}

/** ms from the bytes of a definition to all of its versions compiled, beside Go's. */
export function benchDefinitions(quick: boolean): Table {
  const real = FILES.map((file) => resolve(CORPORA, file)).filter((file) => existsSync(file));
  const files = real.length > 0 ? real : [EXAMPLE];
  const go = real.length > 0 ? goMs() : 'the corpora are not beside the project';
  const failedGates: string[] = [];
  const rows = files.map((file) => {
    const name = basename(file, '.yaml');
    const cell = measure(file, quick ? 5 : 12);
    const peer = typeof go === 'string' ? undefined : go.get(name);
    const gate = (what: string, ms: number, wanted: number): string => {
      if (peer === undefined) return '–';
      const ratio = ms / peer;
      if (ratio > wanted) failedGates.push(`${name} ${what}: ${ms.toFixed(0)} ms, ${ratio.toFixed(2)} × Go; wanted ${wanted} ×`);
      return ratio.toFixed(2);
    };
    const ratios = [gate('cold', cell.coldMs, WANTED_COLD), gate('warm', cell.warmMs, WANTED_WARM)];
    const times = [cell.coldMs, cell.warmMs, peer].map((ms) => (ms === undefined ? '–' : ms.toFixed(0)));
    return [name, String(cell.bytes), String(cell.rules), ...times, ...ratios];
  });
  const notes = [
    'ms from JSON bytes to all versions compiled: decoded, admitted with all costs estimated, structural schema, OpenAPI validator, rules. Cold: the first in a fresh process; warm: median of later ones.',
    typeof go === 'string'
      ? `Go: not measured, ${go}.`
      : 'Go: the sum of the same steps of apiextensions-apiserver, each the best of two or three.',
  ];
  return { columns: ['definition', 'bytes', 'rules', 'cold ms', 'warm ms', 'Go ms', 'cold ÷ Go', 'warm ÷ Go'], rows, notes, failedGates };
}

function measure(file: string, rounds: number): Cell {
  const conditions = SOURCE ? ['--conditions=source'] : [];
  const { stdout, stderr } = spawnSync(process.execPath, [...conditions, CELL, file, String(rounds)], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Cell;
}

/** ms by definition; the reason where Go is not at hand. */
function goMs(): ReadonlyMap<string, number> | string {
  const program = buildGoProgram('crd');
  if (typeof program === 'string') return program;
  const args = ['-mode', 'compile', '-corpora', CORPORA, '-files', FILES.join(',')];
  const { stdout, status } = spawnSync(program.binary, args, { encoding: 'utf8', timeout: 600_000 });
  program.close();
  if (status !== 0) return `the Go program ended with ${status}`;
  const sums = new Map<string, number>();
  for (const line of stdout.split('\n').filter((text) => text !== '')) {
    const row = JSON.parse(line) as { case: string; usPerObject: number };
    const [name = '', step = ''] = row.case.split('/');
    if (GO_STEPS.includes(step)) sums.set(name, (sums.get(name) ?? 0) + row.usPerObject / 1000);
  }
  return sums;
}
