import type { Minor } from '#kube';
import { inMinor } from '#documents';
import type { Envelope, PolicyReport, Verdict } from '#documents';
import type { JudgedDefinition } from '#runner';
import { judgeObjects, prepareBatch } from '../judge/prepared-batch.ts';
import type { JudgedTexts } from '../judge/prepared-batch.ts';
import { reviewPolicies } from '../judge/review-policies.ts';
import type { Engine } from '../ports.ts';

/** Verdicts of one Kubernetes minor version on definitions, policies and objects. */
export interface MinorJudgement {
  readonly minor: Minor;
  readonly judged: readonly JudgedDefinition[];
  readonly verdicts: readonly Verdict[];
  /** Server's answers to the creation of policies and bindings; undefined if there are none, or if the review was stopped. */
  readonly policies?: readonly PolicyReport[] | undefined;
}

/** Kubernetes minor version, with its verdicts on the definitions. */
interface KnownMinor {
  readonly minor: Minor;
  readonly known: JudgedTexts;
}

/**
 * Computes the verdicts of a server of one Kubernetes minor version on the objects, under the definitions and policies. `known` contains
 * this version's verdicts on the definitions.
 */
export async function judgeInMinor(
  engine: Engine,
  documents: Envelope,
  { minor, known }: KnownMinor,
  signal?: AbortSignal,
): Promise<MinorJudgement> {
  // The comparison needs only verdicts, not the objects or their costs.
  const options = { ...inMinor(documents.options, minor), returnObjects: false, explain: false };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal, known });
  const how = { typeChecking: false, fieldValidation: options.fieldValidation, signal };
  const policies = prepared.policies && (await reviewPolicies(engine, prepared.policies, how));
  return { minor, judged: prepared.judged, policies, verdicts: await judgeObjects(engine, prepared, documents.objects, signal) };
}
