import type { EvaluationOptions, Verdict } from '#evaluation';
import type { Engine } from '#runner';
import { evaluateUnqueued } from '#service';
import type { PlacedBatch } from '../read-documents.ts';
import { envelopeOf } from '../read-documents.ts';
import type { ReviewAnswer } from './admission-review.ts';

/** What objects are judged by, in the place of a webhook of their own. */
export interface ObjectRules {
  /** Definitions and admission policies of files, which may be stricter than those of the cluster. */
  readonly documents: PlacedBatch;
  readonly options: EvaluationOptions;
}

/**
 * Answers an AdmissionReview of an object by the definitions and policies of files. What they do not know is allowed with a warning, or refused, as
 * `unknown` says.
 */
export async function judgeReviewed(
  engine: Engine,
  { documents, options }: ObjectRules,
  review: Buffer,
  unknown: 'allow' | 'deny',
  signal: AbortSignal,
): Promise<ReviewAnswer> {
  const batch = envelopeOf({ ...documents, objects: [{ source: 'review', slice: { bytes: review, notation: 'json' } }] }, options);
  const outcome = await evaluateUnqueued(engine, batch, signal);
  if (outcome.kind !== 'answered') return unjudged(outcome.status.message, unknown);
  const [first] = (await Array.fromAsync(outcome.answer.results)).flatMap(({ verdicts }) => verdicts);
  if (first === undefined) return unjudged('the request holds no object', unknown);
  const { outcome: verdict, status, warnings } = JSON.parse(first) as Verdict;
  if (verdict === 'accepted') return { allowed: true, warnings };
  return verdict === 'rejected'
    ? { allowed: false, message: status?.message ?? 'refused', ...(status && { status }), warnings }
    : unjudged(status?.message ?? 'it was not judged in time', unknown);
}

function unjudged(why: string, unknown: 'allow' | 'deny'): ReviewAnswer {
  const sentence = `assay guard: the object was not judged: ${why}`;
  return unknown === 'allow' ? { allowed: true, warnings: [sentence] } : { allowed: false, message: sentence };
}
