import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { evaluationLine } from '#benchmark';
import type { PlacedFindings } from '#benchmark';
import type { DescribedRule } from '#service';
import { UsageError } from '../../usage.ts';

/** Schema of a line that the Go program prints: median CPU time in ns, cost in cost units, and an optional error. */
const readingSchema = z.object({ medianNs: z.number(), cost: z.number(), error: z.string().optional() });

type Reading = z.infer<typeof readingSchema>;

/** Maximum number of characters that are shown of a line that cannot be parsed. */
const SHOWN_CHARACTERS = 80;

/** Duration of each of the three rounds in which the program measures a rule. */
const ROUND = '10ms';

/**
 * Measures rules with the Go libraries of Kubernetes. Each rule is evaluated on its most expensive write request. `program` is the path of
 * the built program `loadtests/go/rule-times`, which measures. Returns the rules with the times added. No time is added to a rule if the
 * program reports a cost that differs from the cost in `described`. Throws {@link UsageError} if the program cannot be run, or prints
 * something unexpected.
 */
export async function withGoTimes(
  rules: readonly PlacedFindings[],
  described: readonly DescribedRule[],
  program: string,
  signal: AbortSignal,
): Promise<readonly PlacedFindings[]> {
  const lines = described.map(({ rule, evaluation }) => evaluationLine(rule.path, evaluation));
  const readings = (await output(program, lines, signal)).map((line) => readingOf(line, program));
  const times = new Map(
    described.map(({ rule, evaluation }, i) => [rule, readings[i]?.cost === evaluation.cost ? readings[i] : undefined]),
  );
  return rules.map((rule) => {
    const reading = times.get(rule);
    if (reading === undefined || reading.error !== undefined) return rule;
    const { medianNs, cost } = reading;
    const time = { engine: 'Kubernetes in Go', what: 'rule', ms: medianNs / 1e6, ...(cost > 0 && { nsPerUnit: medianNs / cost }) } as const;
    return { ...rule, times: [...rule.times, time] };
  });
}

function readingOf(line: string, program: string): Reading {
  try {
    return readingSchema.parse(JSON.parse(line));
  } catch {
    throw new UsageError(`--go ${program}: it printed no reading: ${line.slice(0, SHOWN_CHARACTERS)}`);
  }
}

/** Runs the program on a file of evaluations. Returns the lines that it prints. */
async function output(program: string, lines: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-go-'));
  const file = join(folder, 'evaluations.ndjson');
  writeFileSync(file, lines.join(''));
  const child = spawn(program, ['-evaluations', file, '-min', ROUND], { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (block: string) => (text += block));
  const ended = Promise.withResolvers<string | undefined>();
  child.on('error', ({ message }) => ended.resolve(message));
  child.on('close', (status) => ended.resolve(status === 0 ? undefined : `it ended with status ${status}`));
  const problem = await ended.promise;
  rmSync(folder, { recursive: true, force: true });
  if (problem !== undefined && !signal.aborted) throw new UsageError(`--go ${program}: ${problem}`);
  return problem === undefined ? text.split('\n').filter((line) => line !== '') : [];
}
