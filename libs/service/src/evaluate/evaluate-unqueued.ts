import { internalErrorStatus, timeoutStatus } from '#kube';
import { chunkSettings, definitionTexts, serverOf, settleNames, splitBatch, textDigests } from '#evaluation';
import type {
  ChunkResult,
  ChunkSettings,
  DefinitionReport,
  DefinitionText,
  DocumentSlice,
  Envelope,
  EvaluationOptions,
  PolicyReport,
} from '#evaluation';
import { checkDefinitions } from '../check-request.ts';
import { reviewPolicies } from '../judge/review-policies.ts';
import { answered, declined } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Engine } from '../ports.ts';
import { runChunk } from '../run/run-chunk.ts';
import { evaluationPolicies } from './policy-text.ts';
import { readAhead } from './read-ahead.ts';

/** An evaluation whose caller has the engine for itself. */
export interface UnqueuedEvaluation {
  /** In input order, names settled among them. */
  readonly definitions: readonly DefinitionReport[];
  /** What a server says when each of its policies is created; undefined where there are none, or where finding out was stopped. Never rejects. */
  readonly reviewed: Promise<readonly PolicyReport[] | undefined>;
  /** The results of its runs, in input order, as they are read: no more runs are under way than the engine has threads for. */
  readonly results: AsyncGenerator<ChunkResult>;
}

/**
 * PLOT of an evaluation without a queue, for one user who waits and has the engine for himself: judge the definitions → cut the items into runs →
 * judge as many at a time as there are threads. What `signal` stops ends as cancelled.
 */
export async function evaluateUnqueued(
  engine: Engine,
  { definitions, policies, cluster, objects, options }: Envelope,
  signal?: AbortSignal,
): Promise<Outcome<UnqueuedEvaluation>> {
  const problem = checkDefinitions(definitions, { maxDefinitions: Infinity });
  if (problem) return problem;
  const policyText = evaluationPolicies({ policies, cluster }, definitions, options);
  if (policyText.kind !== 'answered') return policyText;
  const texts = await definitionTexts(definitions, serverOf(options));
  const judged = await judgeEach(engine, texts, options, signal);
  if (judged.kind !== 'answered') return judged;
  const reports = settleNames(judged.answer);
  const settings = chunkSettings(reports, {
    options,
    policies: policyText.answer?.digest,
    deadlineAt: Number.MAX_SAFE_INTEGER,
    traceparent: undefined,
  });
  const needed = new Set(textDigests(settings));
  const known = [...texts, ...(policyText.answer ? [policyText.answer] : [])].filter(({ digest }) => needed.has(digest));
  const begun = beginRuns(engine, { objects, settings, texts: known }, signal);
  const { answer: policyDocuments } = policyText;
  // It goes on beside the first runs.
  const reviewed = policyDocuments ? reviewPolicies(engine, policyDocuments, { typeChecking: false, signal }) : Promise.resolve(undefined);
  return answered({ definitions: reports, reviewed, results: finishRuns(begun, engine.threads) });
}

/** Judges each text once, however often it comes. */
async function judgeEach(
  engine: Engine,
  texts: readonly DefinitionText[],
  { asSent }: EvaluationOptions,
  signal?: AbortSignal,
): Promise<Outcome<readonly DefinitionReport[]>> {
  const distinct = new Map(texts.map((text) => [text.digest, text]));
  const answers = await Promise.all(
    [...distinct.values()].map((definition) =>
      engine.run({ kind: 'judge', definition, rules: false, asSent }, { ...(signal && { signal }) }),
    ),
  );
  const reports = new Map<string, DefinitionReport>();
  for (const answer of answers) {
    if (answer.kind === 'cancelled')
      return declined('late', timeoutStatus('the evaluation was stopped before any object was judged', 0, 408));
    if (answer.kind === 'broken') return declined('broken', internalErrorStatus('this definition ended the engine that judged it'));
    reports.set(answer.result.report.digest, answer.result.report);
  }
  return answered(texts.flatMap(({ digest }) => reports.get(digest) ?? []));
}

/** What runs have in common. */
interface Runs {
  readonly objects: readonly DocumentSlice[];
  readonly settings: ChunkSettings;
  readonly texts: readonly DefinitionText[];
}

/** Begins to judge each run when it is asked for. */
async function* beginRuns(
  engine: Engine,
  { objects, settings, texts }: Runs,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly result: Promise<ChunkResult> }> {
  let firstItem = 0;
  for (const [index, items] of splitBatch(objects).entries()) {
    const chunk = { evaluation: 'unqueued', index, firstItem, items, settings };
    // An object, so that the generator does not wait for the promise in it.
    yield { result: runChunk(engine, chunk, texts, { ...(signal && { signal }) }).then(({ result }) => result) };
    firstItem += items.length;
  }
}

async function* finishRuns(begun: ReturnType<typeof beginRuns>, ahead: number): AsyncGenerator<ChunkResult> {
  for await (const { result } of readAhead(begun, ahead)) yield await result;
}
