import { load, loadAll } from 'js-yaml';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedText } from '#charts';
import { PROJECT } from '../places.ts';
import type { BenchTable, WantedFigure } from './bench-table.ts';

const ASSAY = join(PROJECT, 'dist/package/cli/assay.cjs');
const EXAMPLE = join(PROJECT, 'examples/gateway-api');
const DEFINITION = join(EXAMPLE, 'httproute-crd.yaml');
const ROUTES = join(EXAMPLE, 'httproutes.yaml');

/** Objects of the larger batch; the largest has ten times as many, and what it takes beyond the other is how fast a warm process is. */
const OBJECTS = 5586;
/** Peers are measured where their binaries are: ASSAY_KUBECONFORM and ASSAY_KUBECTL_VALIDATE name them. */
const PEERS = { kubeconform: process.env['ASSAY_KUBECONFORM'], 'kubectl-validate': process.env['ASSAY_KUBECTL_VALIDATE'] } as const;

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
    const rows = [...times].map(([name, time]) => [name, ...shown(time)]);
    return {
      columns: ['command', 'least ms', 'median ms', 'CPU ms'],
      rows,
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
  const [route] = loadAll(readFileSync(ROUTES, 'utf8'));
  const batch = (count: number): string => {
    const file = join(folder, `${count}.ndjson`);
    const object = route as { metadata: object };
    const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ ...object, metadata: { ...object.metadata, name: `r${i}` } }));
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

function peers(folder: string): Command[] {
  const found: Command[] = [];
  if (PEERS.kubeconform !== undefined && existsSync(PEERS.kubeconform)) {
    const schemas = join(folder, 'schemas');
    mkdirSync(schemas);
    const definition = load(readFileSync(DEFINITION, 'utf8')) as { spec: { versions: { schema: { openAPIV3Schema: unknown } }[] } };
    writeFileSync(join(schemas, 'httproute.json'), JSON.stringify(definition.spec.versions[0]?.schema.openAPIV3Schema));
    const location = ['-schema-location', join(schemas, '{{ .ResourceKind }}.json')];
    found.push({ name: 'kubeconform -h', argv: [PEERS.kubeconform, '-h'] });
    found.push({ name: 'kubeconform, two routes', argv: [PEERS.kubeconform, ...location, '-summary', ROUTES] });
  }
  const validate = PEERS['kubectl-validate'];
  if (validate !== undefined && existsSync(validate)) {
    found.push({ name: 'kubectl-validate --help', argv: [validate, '--help'] });
    found.push({ name: 'kubectl-validate, two routes', argv: [validate, '--local-crds', EXAMPLE, ROUTES] });
  }
  return found;
}

/** Runs a command so often, once more before, and takes its times by the shell. */
function measure({ name, argv }: Command, runs: number): ProcessTimes {
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let run = -1; run < runs; run++) {
    const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1';
    const { stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], { cwd: PROJECT, encoding: 'utf8' });
    const [wall, user, system] = stderr.trim().split(' ').map(Number);
    if (wall === undefined || user === undefined || system === undefined) throw new Error(`${name}: bash measured nothing: ${stderr}`);
    if (run < 0) continue;
    walls.push(1000 * wall);
    cpus.push(1000 * (user + system));
  }
  walls.sort((a, b) => a - b);
  return { leastMs: walls[0] ?? 0, medianMs: walls[walls.length >> 1] ?? 0, cpuMs: Math.min(...cpus) };
}

const shown = ({ leastMs, medianMs, cpuMs }: ProcessTimes): string[] => [leastMs, medianMs, cpuMs].map((ms) => fixedText(ms, 0));

type Times = ReadonlyMap<string, ProcessTimes>;

function warmRate(times: Times): number {
  const [small, large] = [OBJECTS, 10 * OBJECTS].map((count) => times.get(`assay evaluate, ${count} routes`)?.leastMs ?? 0);
  return (9 * OBJECTS * 1000) / ((large ?? 0) - (small ?? 0));
}

/** Returns what is wanted of whole processes on a quiet machine. */
function wantedFigures(times: Times): WantedFigure[] {
  const help = times.get('assay --help');
  const evaluate = times.get('assay evaluate, two routes');
  return [
    { name: 'assay --help, ms', value: help?.leastMs, most: 60 },
    { name: 'assay evaluate, two routes, ms', value: evaluate?.leastMs, most: 300 },
    { name: 'assay evaluate, two routes, CPU ms', value: evaluate?.cpuMs, most: 350 },
    { name: 'objects a second, once warm', value: warmRate(times), least: 10_000 },
  ];
}
