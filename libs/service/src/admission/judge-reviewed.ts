import { definitionText, definitionWrite, serverOf } from '#documents';
import type { Envelope, EvaluationOptions, Verdict } from '#documents';
import type { Engine } from '../ports.ts';
import { evaluateUnqueued } from '../evaluate/evaluate-unqueued.ts';
import { judgeChange } from '../what-if/what-if.ts';
import type { ReviewAnswer, ReviewedRequest } from './admission-review.ts';

/**
 * Outcome for the object of an AdmissionReview.
 *
 * - `judged`: the request is allowed, or refused as a server would refuse it.
 * - `unknown`: there is no definition by which the object could be validated.
 * - `unjudged`: the evaluation was stopped, or it broke the engine.
 */
export type ReviewOutcome =
  | { readonly kind: 'judged'; readonly answer: ReviewAnswer }
  | { readonly kind: 'unknown' | 'unjudged'; readonly why: string };

/**
 * Computes the verdict on the object of an AdmissionReview, as a validating webhook does. The given definitions and policies may be
 * stricter than the cluster's definitions and policies. Only policies apply to deletions and connections.
 */
export async function judgeReviewedObject(
  engine: Engine,
  rules: Omit<Envelope, 'objects'>,
  review: Uint8Array,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  const objects = [{ bytes: Buffer.from(review), notation: 'json' as const }];
  const outcome = await evaluateUnqueued(engine, { ...rules, objects }, signal);
  if (outcome.kind !== 'answered') return { kind: 'unknown', why: outcome.status.message };
  const [first] = (await Array.fromAsync(outcome.answer.results)).flatMap(({ verdicts }) => verdicts);
  if (first === undefined) return { kind: 'unknown', why: 'the request holds no object' };
  const { outcome: verdict, status, warnings } = JSON.parse(first) as Verdict;
  if (verdict === 'accepted') return { kind: 'judged', answer: { allowed: true, warnings } };
  if (verdict === 'rejected')
    return { kind: 'judged', answer: { allowed: false, message: status?.message ?? 'refused', ...(status && { status }), warnings } };
  const isStopped = verdict === 'cancelled' || signal.aborted;
  return { kind: isStopped ? 'unjudged' : 'unknown', why: status?.message ?? 'it was not judged in time' };
}

/**
 * Computes the verdict on the creation or update of a CustomResourceDefinition in an AdmissionReview. The verdict equals the verdict of a
 * server with the Kubernetes minor version in `options`.
 */
export async function judgeReviewedDefinition(
  engine: Engine,
  { slices: { object, oldObject } }: ReviewedRequest,
  options: EvaluationOptions,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  if (object === undefined) return { kind: 'judged', answer: { allowed: true } };
  const to = definitionText(object, serverOf(options));
  const report =
    oldObject === undefined
      ? await judgeCreation(engine, to, options, signal)
      : await judgeChange(engine, { from: definitionText(oldObject, serverOf(options)), to, options }, signal);
  if (report === undefined) return { kind: 'unjudged', why: 'it was not judged in time' };
  const { accepted, status, warnings } = report;
  if (accepted) return { kind: 'judged', answer: { allowed: true, warnings } };
  return { kind: 'judged', answer: { allowed: false, message: status?.message ?? 'refused', ...(status && { status }), warnings } };
}

async function judgeCreation(
  engine: Engine,
  definition: ReturnType<typeof definitionText>,
  options: EvaluationOptions,
  signal: AbortSignal,
): ReturnType<typeof judgeChange> {
  const answer = await engine.run({ kind: 'judge', definition, rules: false, ...definitionWrite(definition, options) }, { signal });
  return answer.kind === 'done' ? answer.result.report : undefined;
}
