import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { PROJECT, SHARED } from '../places.ts';

const SOURCES = resolve(SHARED, 'oracle/policy');
/** File with the part of the program that measures. It is built together with the sources of the policy oracle. */
const METER = resolve(PROJECT, 'loadtests/go/policy-times/policy_times.go');

/** Answer of the policy plugins to one case, as the policy oracle prints it. Only the members that a bench reads. */
const answerSchema = z.object({
  id: z.string(),
  oracleError: z.string().optional(),
  allowed: z.boolean().optional(),
  policies: z
    .array(
      z.object({
        bindings: z
          .array(z.object({ runs: z.array(z.object({ evaluations: z.array(z.object({ cost: z.number() })).optional() })).optional() }))
          .optional(),
      }),
    )
    .optional(),
  mutations: z.array(z.object({ evaluations: z.array(z.object({ cost: z.number() })).optional() })).nullish(),
});

/** Time of the policy plugin for one request: CPU time of the thread in ns, in a fast run and in the median run. */
const readingSchema = z.object({
  id: z.string(),
  ns: z.number(),
  medianNs: z.number(),
  runs: z.number(),
  allowed: z.boolean(),
  error: z.string().optional(),
});
export type PolicyReading = z.infer<typeof readingSchema>;

/** Verdict of the plugins on one case, with the cost in cost units of each evaluation, by run. */
export interface PluginAnswer {
  readonly id: string;
  readonly allowed: boolean;
  readonly runs: readonly (readonly number[])[];
}

/** Program that runs the policy plugins of a real API server. */
export interface PolicyProgram {
  /** Returns the verdict on each case. `lines` are cases of the policy oracle. Throws if the oracle cannot judge a case. */
  answers(lines: readonly string[]): readonly PluginAnswer[];
  /** Returns the time of a request of each case. `least` is the time for each case, such as `100ms`. */
  times(lines: readonly string[], least: string): readonly PolicyReading[];
  /** Removes the folder with the built program. */
  close(): void;
}

const CAP_MS = 600_000;

/** Builds the policy oracle, with code that measures times, in a temporary folder. Returns the reason as a text if Go or the oracle is missing, or if the build fails. */
export function buildPolicyProgram(): PolicyProgram | string {
  if (!existsSync(SOURCES)) return 'shared/oracle/policy is not beside the project';
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go';
  const folder = mkdtempSync(join(tmpdir(), 'assay-policies-'));
  cpSync(SOURCES, folder, { recursive: true, filter: (path) => !path.startsWith(join(SOURCES, 'bin')) });
  chmodSync(folder, 0o755);
  cpSync(METER, join(folder, 'policy_times.go'));
  const binary = join(folder, 'policy-times');
  const built = spawnSync('go', ['build', '-o', binary, '.'], { cwd: folder, encoding: 'utf8' });
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  if (built.status !== 0) {
    close();
    return `the Go program does not build: ${built.stderr.slice(0, 200)}`;
  }
  const run = (lines: readonly string[], env: Readonly<Record<string, string>>): string[] =>
    spawnSync(binary, { input: lines.join(''), encoding: 'utf8', timeout: CAP_MS, maxBuffer: 2 ** 28, env: { ...process.env, ...env } })
      .stdout.split('\n')
      .filter((line) => line !== '');
  return {
    answers: (lines) => run(lines, {}).map((line) => answerOf(line)),
    times: (lines, least) => run(lines, { ASSAY_POLICY_TIMES: least }).map((line) => readingSchema.parse(JSON.parse(line))),
    close,
  };
}

function answerOf(line: string): PluginAnswer {
  const { id, oracleError, allowed = false, policies = [], mutations } = answerSchema.parse(JSON.parse(line));
  if (oracleError !== undefined) throw new Error(`${id}: ${oracleError}`);
  const validated = policies.flatMap(({ bindings = [] }) => bindings.flatMap(({ runs = [] }) => runs));
  const runs = [...validated, ...(mutations ?? [])].map(({ evaluations = [] }) => evaluations.map(({ cost }) => cost));
  return { id, allowed, runs };
}
