import { countEffect, emptyImpact, worstCauses } from '#documents';
import type { DefinitionReport, ObjectEffect } from '#documents';
import { countPolicyImpact, emptyPolicyImpact } from '#service';
import type { PolicyImpact, PreparedChange } from '#service';

/** Options for writing an answer that contains one line for each effect of a change on a stored object. */
export interface WritingEffects {
  /** True if a line is written for each unaffected object too. */
  readonly all: boolean;
  /** Returns true if the client disconnected or the deadline passed, so that the answer is incomplete. */
  readonly isOver: () => boolean;
}

/** Effects on objects, in batches that are produced one after another. */
type Runs<Effect> = AsyncIterable<readonly Effect[]> | Iterable<readonly Effect[]>;

/**
 * Yields the effects of a changed definition, one per line, and a last line with the totals. Unaffected objects are left out unless
 * `writing.all` is set.
 */
export async function* definitionEffectLines(
  definition: DefinitionReport,
  effects: Runs<ObjectEffect>,
  writing: WritingEffects,
): AsyncGenerator<string> {
  const impact = emptyImpact();
  yield* effectLines(effects, (effect) => countEffect(impact, effect), writing);
  yield totals({ definition }, { ...impact, causes: worstCauses(impact) }, writing);
}

/**
 * Yields NDJSON lines about a change of admission policies: one line with the effect on each object, and a last line with the totals.
 * Unaffected objects are left out unless `writing.all` is set.
 */
export async function* policyEffectLines(
  { from, to }: PreparedChange,
  effects: Runs<PolicyImpact>,
  writing: WritingEffects,
): AsyncGenerator<string> {
  const impact = emptyPolicyImpact();
  yield* effectLines(effects, (effect) => countPolicyImpact(impact, effect), writing);
  const reports = ({ judged }: PreparedChange['from']): readonly DefinitionReport[] => judged.map(({ report }) => report);
  yield totals({ definitions: { from: reports(from), to: reports(to) } }, impact, writing);
}

async function* effectLines<Effect extends { readonly effect: string }>(
  runs: Runs<Effect>,
  count: (effect: Effect) => void,
  { all, isOver }: WritingEffects,
): AsyncGenerator<string> {
  try {
    for await (const run of runs) {
      let text = '';
      for (const effect of run) {
        count(effect);
        if (all || effect.effect !== 'unaffected') text += `${JSON.stringify(effect)}\n`;
      }
      if (text !== '') yield text;
    }
  } catch (error) {
    // After the deadline, an incomplete body is not an error, because the totals state that they are incomplete.
    if (!isOver()) throw error;
  }
}

const totals = (head: object, impact: object, { isOver }: WritingEffects): string =>
  `${JSON.stringify({ ...head, complete: !isOver(), impact })}\n`;
