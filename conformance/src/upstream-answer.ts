import type { JsonObject } from '#go';
import type { JudgingEngine } from './judging-engine.ts';

/**
 * The comparison of one recorded call of an upstream function. `skip`: the case is outside Kubernetes' use with CRDs,
 * for the given reason.
 */
export type UpstreamAnswer =
  | { readonly kind: 'agree' }
  | { readonly kind: 'differ'; readonly verdict: boolean; readonly what: string; readonly golden: string; readonly ours: string }
  | { readonly kind: 'skip'; readonly reason: string };

/** Judges one line of a file of `upstream/`. The engine is what evaluates rules, where the table is about evaluations. */
export type UpstreamJudge = (line: JsonObject, engine: JudgingEngine) => UpstreamAnswer;
