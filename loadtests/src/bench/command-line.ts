import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '#benchmark';
import { fixedText } from '#charts';
import { PROJECT } from '../places.ts';
import { schemaOfVersion, yamlObject } from '../workloads/object-cases.ts';
import { routeObject } from '../workloads/route-body.ts';
import type { BenchTable, WantedFigure } from './bench-table.ts';

const ASSAY = join(PROJECT, 'dist/package/cli/assay.cjs');
const EXAMPLE = join(PROJECT, 'examples/gateway-api');
const DEFINITION = join(EXAMPLE, 'httproute-crd.yaml');
const ROUTES = join(EXAMPLE, 'httproutes.yaml');

/** Objects of the larger batch; the largest has ten times as many, and what it takes beyond the other is how fast a warm process is. */
const OBJECTS = 5586;
interface Command {
  readonly name: string;
  readonly argv: readonly string[];
}

/** How long whole processes of one command took, ms: wall time and CPU time of the fastest run, and the median wall time. */
interface ProcessTimes {
  readonly leastMs: number;
  readonly medianMs: number;
  readonly cpuMs: number;
}

/** Cold starts and batches as whole processes, from the shell's view, beside peers whose binaries are at hand. */
export function benchCommandLine(quick: boolean): BenchTable {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const runs = quick ? 3 : 15;
    const times = new Map(commands(folder).map((command) => [command.name, measure(command, runs)]));
    return {
      columns: ['command', 'least ms', 'median ms', 'CPU ms'],
      rows: Array.from(times, ([name, { leastMs, medianMs, cpuMs }]) => [
        name,
        ...[leastMs, medianMs, cpuMs].map((ms) => fixedText(ms, 0)),
      ]),
      wanted: wantedFigures(times),
      notes: [
        `${runs} runs of each, compile cache filled before. \`bare Node\` is what a process costs that does nothing.`,
        'kubeconform knows neither CEL rules nor defaults nor ratcheting; kubectl-validate runs the code of Kubernetes 1.30.',
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commands(folder: string): Command[] {
  const assay = (name: string, ...argv: string[]): Command => ({ name, argv: [process.execPath, ASSAY, ...argv] });
  const route = JSON.parse(routeObject()) as { metadata: object };
  const batch = (count: number): string => {
    const file = join(folder, `${count}.ndjson`);
    const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ ...route, metadata: { ...route.metadata, name: `r${i}` } }));
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  return [
    { name: 'bare Node', argv: [process.execPath, '-e', '0'] },
    assay('assay --help', '--help'),
    assay('assay evaluate, two routes', 'evaluate', EXAMPLE),
    assay(`assay evaluate, ${OBJECTS} routes`, 'evaluate', DEFINITION, batch(OBJECTS)),
    assay(`assay evaluate, ${10 * OBJECTS} routes`, 'evaluate', DEFINITION, batch(10 * OBJECTS)),
    ...peers(folder),
  ];
}

/** Peers are measured where their binaries are: ASSAY_KUBECONFORM and ASSAY_KUBECTL_VALIDATE name them. */
function peers(folder: string): Command[] {
  const { ASSAY_KUBECONFORM: kubeconform = '', ASSAY_KUBECTL_VALIDATE: validate = '' } = process.env;
  writeFileSync(join(folder, 'httproute.json'), JSON.stringify(schemaOfVersion(yamlObject(DEFINITION), 'v1')));
  const location = ['-schema-location', join(folder, '{{ .ResourceKind }}.json')];
  return [
    { name: 'kubeconform -h', argv: [kubeconform, '-h'] },
    { name: 'kubeconform, two routes', argv: [kubeconform, ...location, '-summary', ROUTES] },
    { name: 'kubectl-validate --help', argv: [validate, '--help'] },
    { name: 'kubectl-validate, two routes', argv: [validate, '--local-crds', EXAMPLE, ROUTES] },
  ].filter(({ argv: [program = ''] }) => existsSync(program));
}

/** Runs a command so often, once more before, and takes its times by the shell. */
function measure({ name, argv }: Command, runs: number): ProcessTimes {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1';
  const times = Array.from({ length: runs + 1 }, () => {
    const { stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], { cwd: PROJECT, encoding: 'utf8' });
    const [wall, user, system] = stderr.trim().split(' ').map(Number);
    if (wall === undefined || user === undefined || system === undefined) throw new Error(`${name}: bash measured nothing: ${stderr}`);
    return { wallMs: 1000 * wall, cpuMs: 1000 * (user + system) };
  }).slice(1);
  const walls = times.map(({ wallMs }) => wallMs);
  return { leastMs: Math.min(...walls), medianMs: median(walls) ?? Number.NaN, cpuMs: Math.min(...times.map(({ cpuMs }) => cpuMs)) };
}

/** Returns what is wanted of whole processes on a quiet machine. */
function wantedFigures(times: ReadonlyMap<string, ProcessTimes>): WantedFigure[] {
  const [small = 0, large = 0] = [OBJECTS, 10 * OBJECTS].map((count) => times.get(`assay evaluate, ${count} routes`)?.leastMs);
  const help = times.get('assay --help');
  const evaluate = times.get('assay evaluate, two routes');
  return [
    { name: 'assay --help, ms', value: help?.leastMs, most: 60 },
    { name: 'assay evaluate, two routes, ms', value: evaluate?.leastMs, most: 300 },
    { name: 'assay evaluate, two routes, CPU ms', value: evaluate?.cpuMs, most: 350 },
    { name: 'objects a second, once warm', value: (9 * OBJECTS * 1000) / (large - small), least: 10_000 },
  ];
}
