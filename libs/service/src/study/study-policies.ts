import { POLICY_CELLS } from '#benchmark';
import type { PolicyCell, PolicyCellFindings, PolicyStudyReport, StudiedPolicy } from '#benchmark';
import type { Envelope, PolicyReport } from '#documents';
import { packItems } from '#runner';
import { judgeObjects, prepareBatch, reviewPolicies } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';

/** Time and progress of a study of policies. */
export interface PolicyStudyWatch {
  /** Time for the whole study, in ms. */
  readonly budgetMs: number;
  /** Signal that ends the study. The report then has the findings so far. */
  readonly signal: AbortSignal;
  /** Is called before each part of the study, with the name of the policy and the numbers of finished and of all parts. */
  readonly notify: (policy: string, cell: PolicyCell, done: number, all: number) => void;
}

/** Policy to study, with the index of its sample object in the batch. */
interface ChosenPolicy {
  readonly kind: string;
  readonly name: string;
  readonly sample: number | undefined;
}

/**
 * Number of parts of each policy that share the time that is left. Most parts end sooner, and leave their time to the parts that follow.
 */
const SHARES = 4;

const POLICY_KINDS: ReadonlySet<string> = new Set(['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy']);

/**
 * Studies how the cost and the predicted time of a request grow under the admission policies of a batch. They grow with the numbers of
 * bindings, parameters, variables and match conditions, and with the sizes of objects. The sample of a policy is the object of the batch
 * whose write costs most under the policy. `sourceOf` returns the place of an object. All policies get equal shares of the time that is left. Each
 * part of a study may take a quarter of the share of its policy, and more if fewer than four parts remain.
 */
export async function studyPolicies(
  engine: Engine,
  envelope: Envelope,
  { budgetMs, signal, notify }: PolicyStudyWatch,
  sourceOf: (object: number) => string,
): Promise<PolicyStudyReport> {
  const until = performance.now() + budgetMs;
  const { options } = envelope;
  const prepared = await prepareBatch(engine, { ...envelope, options: { ...options, returnObjects: false, explain: true } }, { signal });
  const chosen = await choosePolicies(engine, prepared, envelope, signal);
  const all = chosen.filter(({ sample }) => sample !== undefined).length * POLICY_CELLS.length;
  const policies: StudiedPolicy[] = [];
  let done = 0;
  let isPartial = false;
  for (const { kind, name, sample } of chosen) {
    const found: PolicyCellFindings[] = [];
    for (const cell of sample === undefined ? [] : POLICY_CELLS) {
      const object = envelope.objects[sample ?? 0];
      if (signal.aborted || object === undefined || prepared.policies === undefined) break;
      notify(name, cell, done, all);
      const parts = Math.min(SHARES * Math.ceil((all - done) / POLICY_CELLS.length), all - done);
      const left = Math.max(0, until - performance.now()) / parts;
      const { policies: text, settings, texts } = prepared;
      const work = {
        kind: 'study-policy',
        item: packItems([object]),
        policies: text,
        policyKind: kind,
        name,
        cell,
        settings,
        budgetMs: left,
      } as const;
      const answer = await engine.run(work, { definitions: texts, signal });
      found.push(
        answer.kind === 'done' ? answer.result : { series: [], helps: [], notStudied: [{ what: cell, reason: CUT_OFF }], isPartial: true },
      );
      done++;
    }
    isPartial ||= found.some((one) => one.isPartial) || (sample !== undefined && found.length < POLICY_CELLS.length);
    policies.push(studiedPolicy({ kind, name, sample: sample === undefined ? undefined : sourceOf(sample) }, found));
  }
  return { schema: 'assay.dev/policy-study/v1', kubernetesVersion: options.kubernetesVersion, budgetMs, isPartial, policies };
}

const CUT_OFF = 'the study was stopped, or broke its thread';
const NO_SAMPLE = 'the files hold no object or AdmissionReview to which the policy and one of its bindings apply';

/** Returns the policies of a batch, each with the object whose write costs most under the policy. */
async function choosePolicies(
  engine: Engine,
  prepared: PreparedBatch,
  { objects, options }: Envelope,
  signal: AbortSignal,
): Promise<readonly ChosenPolicy[]> {
  const how = { typeChecking: false, fieldValidation: options.fieldValidation, signal };
  const reports: readonly PolicyReport[] = (prepared.policies && (await reviewPolicies(engine, prepared.policies, how))) ?? [];
  const verdicts = await judgeObjects(engine, prepared, objects, signal);
  return reports
    .filter(({ kind }) => POLICY_KINDS.has(kind))
    .map(({ kind, name }) => {
      const isMutating = kind === 'MutatingAdmissionPolicy';
      const costs = verdicts.flatMap(({ index, admission }) => {
        const own = (admission?.policies ?? []).filter(({ policy, binding }) => policy === name && (binding === undefined) === isMutating);
        return own.length === 0 ? [] : [{ index, cost: own.reduce((sum, { cost }) => sum + cost, 0) }];
      });
      return { kind, name, sample: costs.toSorted((a, b) => b.cost - a.cost)[0]?.index };
    });
}

function studiedPolicy(
  { kind, name, sample }: Pick<StudiedPolicy, 'kind' | 'name'> & { readonly sample: string | undefined },
  found: readonly PolicyCellFindings[],
): StudiedPolicy {
  const applies = found.find((one) => one.applies !== undefined)?.applies;
  return {
    kind,
    name,
    ...(sample !== undefined && { sample }),
    ...(applies && { bindings: applies.bindings, price: { cost: applies.cost, ms: applies.ms } }),
    series: found.flatMap(({ series }) => series),
    helps: found.flatMap(({ helps }) => helps),
    notStudied:
      sample === undefined || found.length === 0
        ? [{ what: 'policy', reason: sample === undefined ? NO_SAMPLE : CUT_OFF }]
        : found.flatMap(({ notStudied }) => notStudied),
  };
}
