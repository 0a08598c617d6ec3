import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import type { DefinitionText, DefinitionWrite, RulePrice } from '#documents';
import type { JudgedDefinition } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { judgeText } from './judge-definition.ts';

/**
 * Validates one definition as several servers do, one server after another. `definitions` has one entry for each server. If two consecutive
 * servers agree on a rule, both reports refer to the same rule object, so that it is sent only once. Throws `Cancelled` if the token
 * requests cancellation.
 */
export function judgeEach(
  definitions: readonly DefinitionText[],
  how: DefinitionWrite & { readonly rules: boolean },
  cache: DefinitionCache,
  token: CancellationToken,
): readonly JudgedDefinition[] {
  const judged: JudgedDefinition[] = [];
  for (const definition of definitions) {
    if (token.cancelled) throw new Cancelled();
    judged.push(sharing(judgeText(definition, how, cache), judged.at(-1)?.rules));
  }
  return judged;
}

function sharing(judged: JudgedDefinition, before: readonly RulePrice[] | undefined): JudgedDefinition {
  if (judged.rules === undefined || before === undefined) return judged;
  const rules = judged.rules.map((rule, i) => {
    const same = before[i];
    return same !== undefined && saysTheSame(rule, same) ? same : rule;
  });
  const isSame = rules.length === before.length && rules.every((rule, i) => rule === before[i]);
  return { ...judged, rules: isSame ? before : rules };
}

function saysTheSame(a: RulePrice, b: RulePrice): boolean {
  return (
    a.path === b.path &&
    a.version === b.version &&
    a.rule === b.rule &&
    a.maxCost === b.maxCost &&
    a.cardinality === b.cardinality &&
    a.totalCost === b.totalCost &&
    a.usesOldSelf === b.usesOldSelf &&
    a.messageMaxCost === b.messageMaxCost &&
    a.error === b.error &&
    a.messageError === b.messageError
  );
}
