import { textField } from '../case-context.ts';
import { definitionFiles } from '../definition-files.ts';
import { askOracle } from '../ask-oracle.ts';
import type { Oracle } from '../ask-oracle.ts';
import type { RecordedCaseResult } from '../bench-protocol.ts';
import { readRecordedCase } from '../recorded-case.ts';
import type { RecordedCase } from '../recorded-case.ts';
import { comparedResult, skippedResult } from '../recorded-result.ts';
import { linesOfRecorded } from '../score-files.ts';
import type { RecordedFile } from '../score-files.ts';
import { scoreOf } from '../score.ts';
import type { Score } from '../score.ts';
import { flippedDefinition } from './flipped-definition.ts';
import type { FlippedDefinition } from './flipped-definition.ts';
import { goldenLine, GoldenWriter } from './golden-writer.ts';

/** Comparison of a recorded file with the oracle of another minor version, or the reason why the oracle did not answer all cases. */
export type FileDiff =
  | { readonly kind: 'compared'; readonly score: Score; readonly flipped: readonly FlippedDefinition[] }
  | { readonly kind: 'failed'; readonly why: string };

/** Returns the exit status of the program for its comparisons: 3 if one failed, otherwise 1 if a case differs, and 0 if none does. */
export function statusOf(diffs: readonly FileDiff[]): number {
  if (diffs.some(({ kind }) => kind === 'failed')) return 3;
  return diffs.some((diff) => diff.kind === 'compared' && diff.score.exact < diff.score.cases) ? 1 : 0;
}

/** Options for the comparison of a file. */
export interface DiffSettings {
  /** Number of differing cases to keep as examples per class of difference. */
  readonly examples: number;
  /** Path of the golden file that is written with the verdicts of the oracle. Undefined: none is written. */
  readonly write: string | undefined;
  /** Called after each answer with the number of answers. */
  readonly progress?: (answers: number) => void;
}

/** Case for an oracle, with the recorded verdict on it. */
interface AskedRecord {
  readonly text: string;
  readonly id: string | undefined;
  readonly record: RecordedCase;
}

/** Sends the cases of a recorded file through an oracle, and compares its verdicts with the recorded ones as the score board does. */
export async function diffFile(file: RecordedFile, oracle: Oracle, { examples, write, progress }: DiffSettings): Promise<FileDiff> {
  if (file.task.kind !== 'golden') return { kind: 'failed', why: 'the file has no verdicts of an oracle' };
  const loadDocument = definitionFiles(file.task.crdFolder);
  const writer = write === undefined ? undefined : new GoldenWriter(write);
  const flipped: FlippedDefinition[] = [];
  let why: string | undefined;
  const score = await scoreOf(file.name, results(), [], examples);
  await writer?.end(why === undefined);
  return why === undefined ? { kind: 'compared', score, flipped } : { kind: 'failed', why };

  async function* results(): AsyncGenerator<RecordedCaseResult> {
    let answers = 0;
    for await (const answer of askOracle(oracle, recordsOf(file))) {
      if (answer.kind === 'failure') {
        why = answer.why;
        return;
      }
      const { asked, line, verdict } = answer;
      // Verdicts on policies are in a separate file beside the cases.
      await writer?.write(file.beside === undefined ? goldenLine(asked.record, verdict) : line);
      const flip = flippedDefinition(asked.record, verdict, loadDocument);
      if (flip !== undefined) flipped.push(flip);
      yield skippedResult(asked.record) ?? comparedResult(asked.record, verdict);
      progress?.(++answers);
    }
  }
}

async function* recordsOf(file: RecordedFile): AsyncGenerator<AskedRecord> {
  for await (const line of linesOfRecorded(file)) {
    const record = readRecordedCase(line);
    if (record === undefined) throw new Error(`a line of ${file.name} is no recorded case`);
    yield { text: record.text, id: textField(record.test, 'id'), record };
  }
}
