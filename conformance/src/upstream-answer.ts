import type { JsonObject } from '#go';
import type { JudgingEngine } from './judging-engine.ts';

/**
 * Result of comparing one recorded call of an upstream function with Assay. `skip`: Kubernetes does not use this behaviour for CRDs, for
 * the given reason.
 */
export type UpstreamAnswer =
  | { readonly kind: 'agree' }
  | { readonly kind: 'differ'; readonly verdict: boolean; readonly what: string; readonly golden: string; readonly ours: string }
  | { readonly kind: 'skip'; readonly reason: string };

/**
 * Function that compares Assay's result with one line of a file of `upstream/`. Tables about evaluations use `engine` to evaluate rules.
 */
export type UpstreamJudge = (line: JsonObject, engine: JudgingEngine) => UpstreamAnswer;
