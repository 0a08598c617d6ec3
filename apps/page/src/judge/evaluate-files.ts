import { addTally, emptyTally } from '#documents';
import type { CutDocument, Verdict } from '#documents';
import type { Minor } from '#kube';
import { cutDocuments } from '#runner/in-process';
import type { WorkPerformer } from '#runner/in-process';
import { clusterObjects } from '#runner';
import { prepareUnqueued } from '#service';
import type { Texts } from '../state/texts.ts';
import type { WorkSettings } from '../worker/serve-asks.ts';
import { countOutcomes, optionsFor } from './evaluate-texts.ts';
import type { FilesEvaluation } from './judge-messages.ts';
import { documentsIn } from './read-texts.ts';
import { tellingEngine } from './telling-engine.ts';

/** Highest number of refused objects that are listed. All refused objects are counted. */
const MAX_REFUSED = 200;
/** Number of objects whose verdicts are computed between two progress reports. */
const SLICE = 250;
const UNLIMITED = { definitions: Infinity, objects: Infinity, areFiles: true } as const;

/** Object that was read from a file. */
interface FileObject {
  readonly file: string;
  /** Number of the object in its file, from 1. */
  readonly index: number;
  readonly slice: CutDocument;
}

/**
 * Computes the verdicts on the objects of files that are too large for editors, in slices. Uses the definitions and policies from the files
 * and from the page's editors.
 */
export async function evaluateFiles(
  performer: WorkPerformer,
  { texts, files, minor }: { readonly texts: Texts; readonly files: readonly File[]; readonly minor: Minor },
  { signal, progress, alive }: WorkSettings,
): Promise<FilesEvaluation> {
  const started = performance.now();
  const written = documentsIn({ ...texts, objects: '' });
  const cut: { readonly name: string; readonly found: ReturnType<typeof cutDocuments> }[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    cut.push({
      name: file.name,
      found: cutDocuments(bytes, /\.(ndjson|jsonl)$/.test(file.name), UNLIMITED, signsOfLife(alive)),
    });
    if (signal.aborted) break;
  }
  const objects = cut.flatMap(({ name, found }) => found.objects.map((slice, i): FileObject => ({ file: name, index: i + 1, slice })));
  const definitions = [...written.definitions.map(({ slice }) => slice), ...cut.flatMap(({ found }) => found.definitions)];
  const policies = [...written.policies.policies, ...cut.flatMap(({ found }) => found.policies)];
  const cluster = policies.length === 0 ? [] : [...written.policies.cluster, ...clusterObjects(cut.map(({ found }) => found))];
  const options = { ...optionsFor(minor), explain: false, returnObjects: false };
  const outcome = await prepareUnqueued(tellingEngine(performer, alive), { definitions, policies, cluster, options }, { signal });
  if (outcome.kind !== 'answered') throw new Error(outcome.status.message);
  const { definitions: reports, judge } = outcome.answer;
  const tally = emptyTally();
  const outcomes: Pick<Verdict, 'outcome'>[] = [];
  const refused: FilesEvaluation['refused'][number][] = [];
  for (let from = 0; from < objects.length && !signal.aborted; from += SLICE) {
    const slice = objects.slice(from, from + SLICE);
    for await (const result of judge(slice.map((one) => one.slice))) {
      addTally(tally, result.tally);
      for (const text of result.verdicts) {
        const verdict = JSON.parse(text) as Verdict;
        outcomes.push({ outcome: verdict.outcome });
        const object = slice[verdict.index];
        if (verdict.outcome !== 'accepted' && object && refused.length < MAX_REFUSED) refused.push(refusal(verdict, object));
      }
    }
    progress(Math.min(from + SLICE, objects.length), objects.length);
  }
  return {
    counts: countOutcomes(outcomes),
    definitions: reports.map(({ name, accepted, status }) => ({ name, accepted, ...(status && { message: status.message }) })),
    refused,
    spentMs: performance.now() - started,
  };
}

const refusal = ({ kind = 'Object', name = '', status }: Verdict, { file, index }: FileObject): FilesEvaluation['refused'][number] => ({
  file,
  index,
  title: `${kind} ${name}`.trim(),
  message: status?.message ?? '',
});

/**
 * Returns a cancellation token that is never cancelled. Each time its state is read, it calls `tell`, which reports that the work
 * continues.
 */
const signsOfLife = (tell: () => void): { readonly cancelled: boolean } => ({
  get cancelled() {
    tell();
    return false;
  },
});
