import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inMinor, serverOf } from '#documents';
import type { DefinitionSlice, EvaluationOptions } from '#documents';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { unqueuedEngine } from '#runner';
import type { Engine } from '#runner';
import { judgeByMinors, prefetch, readDocuments } from '#service';
import { packageVersion } from '#telemetry';
import { UNLIMITED } from '../../documents/read-documents.ts';
import { unreadableDocuments } from '../../documents/unreadable-documents.ts';
import type { FileAccess } from '../../files/file-access.ts';
import { FILE_LIMITS, sizeInWords } from '../../files/file-problem.ts';
import { runGit } from '../../files/run-git.ts';
import type { ProgressBar } from '../../report/print.ts';
import { cachedValue } from './history-cache.ts';
import type { HistoryCache } from './history-cache.ts';

/** Content of a file in git. If it cannot be read, `problem` is the reason in words. */
type Content =
  | { readonly blob: string; readonly ok: true; readonly bytes: Buffer }
  | { readonly blob: string; readonly ok: false; readonly problem: string };

/** Maximum number of contents that one run of git reads. */
const READ_TOGETHER = 64;

/**
 * Yields the contents with the given names, in order. Git reads many contents in one run.
 *
 * @param folder folder of the repository
 */
export function* readContents(folder: string, blobs: readonly string[], access: FileAccess): Generator<Content> {
  for (let i = 0; i < blobs.length; i += READ_TOGETHER) yield* readTogether(folder, blobs.slice(i, i + READ_TOGETHER), access);
}

/** Reads contents in one run of git. If git fails, reads each half by itself, so that one broken content does not hide the others. */
function* readTogether(folder: string, blobs: readonly string[], access: FileAccess): Generator<Content> {
  const [first = ''] = blobs;
  const answer = runGit(folder, ['cat-file', '--batch'], access, blobs.map((blob) => `${blob}\n`).join(''));
  if (answer.ok) return yield* contentsIn(answer.bytes, blobs);
  if (blobs.length <= 1) return yield { blob: first, ok: false, problem: answer.problem ?? 'git cannot read the content' };
  const half = blobs.length >> 1;
  yield* readTogether(folder, blobs.slice(0, half), access);
  yield* readTogether(folder, blobs.slice(half), access);
}

/** Reads the output of `git cat-file --batch`: a line with name, kind and size, then the content, then a line break. */
function* contentsIn(answer: Buffer, blobs: readonly string[]): Generator<Content> {
  let at = 0;
  for (const blob of blobs) {
    const end = answer.indexOf('\n', at);
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(answer.toString('latin1', at, Math.max(at, end))) ?? [];
    if (size === undefined) {
      yield { blob, ok: false, problem: 'this clone lacks the content' };
      at = end < 0 ? answer.length : end + 1;
      continue;
    }
    const start = end + 1;
    at = start + Number(size) + 1;
    const isTooLarge = Number(size) > FILE_LIMITS.source;
    yield isTooLarge
      ? { blob, ok: false, problem: `is larger than ${sizeInWords(FILE_LIMITS.source)}` }
      : { blob, ok: true, bytes: answer.subarray(start, at - 1) };
  }
}

const rule = z.object({
  version: z.string(),
  /** Path of the rule relative to `openAPIV3Schema`. */
  path: z.string(),
  rule: z.string(),
  /** Estimated cost of all evaluations in one write, a uint64 as decimal text. */
  cost: z.string(),
  /** Error of a rule that does not compile. */
  error: z.string().optional(),
});
const definition = z.object({
  name: z.string(),
  accepted: z.boolean(),
  /** Reason of a refusal, in the server's words. */
  message: z.string().optional(),
  /** Size of the definition as JSON, in bytes. */
  bytes: z.int(),
  rules: z.array(rule),
  /** Estimated cost of all rules together, by version, as decimal texts. */
  totals: z.record(z.string(), z.string()),
});
const definitions = z.array(definition);

/** Rule of a definition with its estimated cost on one minor version. */
export type PricedRule = z.infer<typeof rule>;
/** Verdict of one minor version on one definition, with the estimated costs of its rules. */
export type PricedDefinition = z.infer<typeof definition>;
/** Verdicts on the definitions in one content by minor version, or the reason why the content has none. */
export type JudgedContent =
  | { readonly ok: true; readonly byMinor: ReadonlyMap<Minor, readonly PricedDefinition[]> }
  | { readonly ok: false; readonly problem: string };

/** Things that judging needs: the engine, the cache, the server's settings, and the user's signal to stop. */
export interface ContentJudge {
  readonly engine: Engine;
  readonly cache: HistoryCache;
  readonly minors: readonly Minor[];
  readonly options: EvaluationOptions;
  readonly progress: ProgressBar;
  /** Signal with which the user ends the command. Contents that are not judged until then stay unjudged. */
  readonly signal: AbortSignal;
}

/**
 * Returns the verdicts on contents by their names in git. Each content is judged once. A cached verdict is not computed again. If the user
 * ends the command, the verdicts so far are returned.
 */
export async function judgeContents(contents: Iterable<Content>, judge: ContentJudge): Promise<ReadonlyMap<string, JudgedContent>> {
  const judged = new Map<string, JudgedContent>();
  for await (const { blob, verdict } of prefetch(beginToJudge(contents, judge), 2 * judge.engine.threads)) {
    judged.set(blob, await verdict);
    judge.progress.step();
  }
  return judged;
}

/** Starts to judge each content when the iterator requests it. Yields its name with the promise of its verdict. */
async function* beginToJudge(contents: Iterable<Content>, judge: ContentJudge): AsyncGenerator<Judging> {
  for (const content of contents) {
    if (judge.signal.aborted) return;
    yield {
      blob: content.blob,
      verdict: content.ok ? judgeContent(content.bytes, judge) : Promise.resolve({ ok: false, problem: content.problem }),
    };
  }
}

interface Judging {
  readonly blob: string;
  readonly verdict: Promise<JudgedContent>;
}

async function judgeContent(bytes: Uint8Array, { engine, cache, minors, options }: ContentJudge): Promise<JudgedContent> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const byMinor = new Map<Minor, readonly PricedDefinition[]>();
  for (const minor of minors) {
    const known = cachedValue(definitions, cache.find(keyOf(digest, inMinor(options, minor))));
    if (known !== undefined) byMinor.set(minor, known);
  }
  const missing = minors.filter((minor) => !byMinor.has(minor));
  if (missing.length === 0) return { ok: true, byMinor };
  const documents = await readDocuments(bytes, 'yaml', UNLIMITED, unqueuedEngine(engine));
  if (documents.kind === 'refused') return { ok: false, problem: documents.status.message };
  if (documents.kind !== 'answered') return { ok: false, problem: 'the documents could not be read in time' };
  const { definitions: slices, objects } = documents.answer;
  const [unreadable] = await unreadableDocuments(objects, options, engine);
  if (unreadable !== undefined) return { ok: false, problem: unreadable.problem };
  const verdicts = await judgeByMinors(engine, { definitions: slices, options }, missing, { alone: true });
  for (const [i, minor] of missing.entries()) {
    const judged = verdicts[i]?.judged ?? [];
    if (judged.some(({ report }) => report.status?.reason === 'Timeout')) return { ok: false, problem: 'not judged in time' };
    const priced = judged.map((one, at) => pricedDefinition(one, slices[at]));
    byMinor.set(minor, priced);
    cache.store(keyOf(digest, inMinor(options, minor)), JSON.stringify(priced));
  }
  return { ok: true, byMinor: new Map(MINORS.flatMap((minor) => (byMinor.has(minor) ? [[minor, byMinor.get(minor) ?? []]] : []))) };
}

type JudgedText = Awaited<ReturnType<typeof judgeByMinors>>[number]['judged'][number];

function pricedDefinition({ report, rules = [], schemaCost = {} }: JudgedText, slice: DefinitionSlice | undefined): PricedDefinition {
  return {
    name: report.name,
    accepted: report.accepted,
    ...(report.status && { message: report.status.message }),
    bytes: slice?.bytes.length ?? 0,
    rules: rules.map(({ version, path, rule, totalCost, error }) => ({
      version,
      path,
      rule,
      cost: totalCost,
      ...(error !== undefined && { error }),
    })),
    totals: { ...schemaCost },
  };
}

/** Returns the key of a verdict: content, release of Assay, minor version, gates and the strictness of field validation. */
function keyOf(digest: string, options: EvaluationOptions): string {
  const { minor, gates } = serverOf(options);
  return createHash('sha256')
    .update(JSON.stringify([digest, packageVersion(), minor, gates, options.fieldValidation]))
    .digest('hex');
}
