import type { EvaluationOptions, FieldValidation, PolicyReport, PolicySide } from '#documents';
import type { Engine } from '#runner';
import {
  countPolicyImpact,
  emptyPolicyImpact,
  asSingleBlock,
  POLICY_EFFECTS,
  policyEffects,
  preparePolicyChange,
  reviewPolicies,
} from '#service';
import type { PolicyEffect, PolicyImpact, PolicyImpactSum } from '#service';
import { shownInLine } from '#report';
import { policyReportLines } from '../../report/finding-lines.ts';
import { effectSummary } from '../../report/words.ts';
import { envelopeOf, mergeDocuments } from '../../documents/read-documents.ts';
import type { PlacedDocuments } from '../../documents/read-documents.ts';

/** Change of admission policies, and the objects on which its effects are computed. */
export interface PolicyChangeDocuments {
  /**
   * Policies and bindings before the change (`from`) and after it (`to`). `objects` contains all remaining documents, which are the same in
   * both states.
   */
  readonly from: PlacedDocuments;
  readonly to: PlacedDocuments;
  readonly objects: PlacedDocuments;
}

/** Effects that a change of admission policies has on the next write request of each object. */
export interface PolicyChangeOutcome extends Omit<PolicyImpactSum, 'objects'> {
  /** New policies and bindings that a server refuses to store; absent if there are none. */
  readonly refused?: readonly PolicyReport[];
  /** Objects that are affected by the change. */
  readonly objects: readonly (Omit<PolicyImpact, 'index' | 'cost'> & { readonly source: string })[];
}

/**
 * Computes the verdicts on all objects under the old and the new policies, and compares these verdicts. Also computes the server's answers to
 * the creation of the new policies.
 */
export async function changePolicies(
  { from, to, objects }: PolicyChangeDocuments,
  {
    options,
    definitionValidation: fieldValidation,
  }: { readonly options: EvaluationOptions; readonly definitionValidation: FieldValidation },
  host: Engine,
): Promise<PolicyChangeOutcome> {
  const sideOf = (side: PlacedDocuments): PolicySide => envelopeOf(mergeDocuments([objects, side]), options);
  const prepared = await preparePolicyChange(host, { from: sideOf(from), to: sideOf(to), options });
  const sum = emptyPolicyImpact();
  const affected: PolicyChangeOutcome['objects'][number][] = [];
  for await (const run of policyEffects(host, prepared, asSingleBlock(objects.objects.map(({ slice }) => slice))))
    for (const impact of run) {
      countPolicyImpact(sum, impact);
      const { index, name, effect, messages } = impact;
      const source = objects.objects[index]?.source ?? '';
      if (effect !== 'unaffected') affected.push({ source, ...(name !== undefined && { name }), effect, messages });
    }
  const { policies } = prepared.to;
  const reviewed = policies && (await reviewPolicies(host, policies, { typeChecking: false, fieldValidation }));
  const refused = reviewed?.filter(({ accepted }) => !accepted) ?? [];
  return { ...sum, ...(refused.length > 0 && { refused }), objects: affected };
}

/**
 * Maximum number of affected objects that the readable text of a policy change lists one by one. The counts in its last line include all
 * objects.
 */
const LISTED = 50;

/** Returns the outcome of a change of admission policies as readable text, with the most harmful effects first. */
export function policyChangeText({ effects, refused = [], objects, costBefore, costAfter }: PolicyChangeOutcome): string {
  const listed = POLICY_EFFECTS.flatMap((effect) => objects.filter((object) => object.effect === effect));
  const lines = listed
    .slice(0, LISTED)
    .flatMap(({ source, name, effect, messages }) => [
      shownInLine(`${source}${name === undefined ? '' : ` ${JSON.stringify(name)}`} ${WORDS[effect]}`),
      ...messages.map((text) => `    ${shownInLine(text)}`),
    ]);
  lines.unshift(...refused.flatMap(policyReportLines));
  if (listed.length > LISTED) lines.push(`… and ${listed.length - LISTED} more (-o json lists all)`);
  const counts = POLICY_EFFECTS.filter((effect) => effects[effect] > 0).map((effect) => `${effects[effect]} ${WORDS[effect]}`);
  const count = Object.values(effects).reduce((sum, one) => sum + one, 0);
  return `${[...lines, effectSummary(count, counts, [costBefore, costAfter])].join('\n')}\n`;
}

const WORDS: Readonly<Record<PolicyEffect, string>> = {
  denied: 'refused',
  warned: 'warned of',
  storedDifferently: 'stored differently',
  allowed: 'allowed again',
  deniedBefore: 'refused before',
  unaffected: 'unaffected',
  notJudged: 'not judged',
};
