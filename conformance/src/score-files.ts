import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMinor } from '#kube';
import type { Minor } from '#kube';
import { answersOf } from './bench.ts';
import type { Bench, BenchJob } from './bench.ts';
import type { BenchTask, RecordedCaseResult } from './bench-protocol.ts';
import type { JudgingEngine } from './judging-engine.ts';
import { pairedLines, recordedPolicyFiles, wholePolicyFiles } from './policy/recorded-files.ts';
import { everyNth, linesOfFile } from './read-lines.ts';
import type { GoldenBeside } from './policy/recorded-files.ts';
import { scoreOf } from './score.ts';
import type { KnownDifference, Score } from './score.ts';
import { conformanceFile, SHARED } from './shared-folder.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Task = DistributiveOmit<BenchTask, 'engine'>;

/** Recorded file, with the task of a process that computes the verdicts on the lines of the file. */
export interface RecordedFile {
  readonly name: string;
  readonly path: string;
  readonly task: Task;
  /**
   * Separate file that contains the golden verdicts, in the line order of the cases, and a filter for the cases that are used. Absent if
   * one file contains both cases and verdicts.
   */
  readonly beside?: GoldenBeside;
}

/**
 * Returns all recorded files that exist on this machine. The golden verdicts of each minor version come first. The tables that were
 * recorded from upstream functions follow.
 */
export function recordedFiles(): RecordedFile[] {
  const folder = (path: string): string[] =>
    existsSync(path)
      ? readdirSync(path)
          .filter((file) => file.endsWith('.jsonl.gz'))
          .sort()
      : [];
  const golden = ['oracle/golden', 'oracle/golden-next'].flatMap((path) =>
    folder(join(SHARED, path)).map((file) => join(SHARED, path, file)),
  );
  const upstream = join(SHARED, 'upstream');
  return [
    ...recordedPolicyFiles(),
    ...golden.map((path) => {
      const name = basename(path, '.jsonl.gz');
      const minor = /1\.\d+$/.exec(name)?.[0] ?? '';
      if (!isMinor(minor)) throw new Error(`${path}: the name does not end in a minor version of Kubernetes that Assay knows`);
      return { name, path, task: { kind: 'golden', minor, crdFolder: join(SHARED, 'corpora') } as const };
    }),
    // The files `cel-environments…` contain no cases, but cases of other files refer to them.
    ...folder(upstream)
      .filter((file) => !file.startsWith('cel-environments'))
      .map((file) => ({
        name: basename(file, '.jsonl.gz'),
        path: join(upstream, file),
        task: { kind: 'upstream', file: basename(file, '.jsonl.gz') } as const,
      })),
  ];
}

/** Returns the recorded files with golden verdicts of a minor version: first on definitions and objects, then on policies. */
export function goldenFilesOf(minor: Minor): RecordedFile[] {
  const files = recordedFiles().filter(({ task, beside }) => beside === undefined && task.kind === 'golden' && task.minor === minor);
  return [...files, ...wholePolicyFiles(minor)];
}

/** Yields the lines of a recorded file. If the verdict of a case is in a separate file, the line contains the case and the verdict. */
export function linesOfRecorded({ path, beside }: RecordedFile): AsyncGenerator<string> {
  return beside === undefined ? linesOfFile(path) : pairedLines(path, beside);
}

function knownDifferences(): KnownDifference[] {
  return JSON.parse(readFileSync(conformanceFile('known-differences.json'), 'utf8')) as KnownDifference[];
}

/** Options for scoring a recorded file. */
export interface ScoreSettings {
  readonly engine: JudgingEngine;
  /** Step of the sample for quick runs: verdicts are computed only on every n-th line. By default, they are computed on all lines. */
  readonly every?: number;
  /** Number of differing cases to keep as examples per class of difference. Default: none. */
  readonly examples?: number;
}

/** Computes the verdicts on the cases of a recorded file with a process. Returns the number of agreements and differences. */
export async function scoreFile(file: RecordedFile, settings: ScoreSettings, bench: Bench): Promise<Score> {
  const job: BenchJob = {
    task: { ...file.task, engine: settings.engine },
    broken: (line, why) =>
      JSON.stringify({ id: /"id":"([^"]*)"/.exec(line)?.[1] ?? '', outcome: 'missing', what: why } satisfies RecordedCaseResult),
  };
  return scoreOf(file.name, results(), knownDifferences(), settings.examples ?? 0);

  async function* results(): AsyncGenerator<RecordedCaseResult> {
    for await (const answer of answersOf([bench], job, everyNth(linesOfRecorded(file), settings.every ?? 1)))
      yield JSON.parse(answer) as RecordedCaseResult;
  }
}
