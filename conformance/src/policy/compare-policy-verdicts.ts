import type { JsonObject } from '#go';
import { canonicalText, member } from '../canonical-text.ts';
import type { VerdictComparison } from '../compare-verdicts.ts';
import type { VerdictObject, VerdictValue } from '../canonical-text.ts';

/**
 * Aspects of a verdict on policies, in the order in which differences are reported. `decisive` is true if the aspect is part of the
 * decision itself.
 */
const ASPECTS: readonly (readonly [name: string, decisive: boolean])[] = [
  ['allowed', true],
  ['code', true],
  ['reason', false],
  ['message', false],
  ['causes', false],
  ['warnings', false],
  ['auditAnnotations', false],
  ['policies', false],
  ['object', true],
  ['unchanged', false],
  ['reinvoked', false],
  ['mutations', false],
  ['webhooks', true],
  ['expressionWarnings', true],
  ['checkedKinds', false],
  ['unresolvedKinds', false],
  ['compiled', true],
  ['result', true],
  ['uses', false],
  ['seen', false],
  ['seenOld', false],
];

/** Kinds of cases that are always about policies. The kind `expr` is missing, because it exists for validation rules too. */
const POLICY_KINDS: ReadonlySet<unknown> = new Set(['admit', 'mutate', 'webhook', 'typecheck', 'compile']);

/** Returns true if a case is about policies. */
export function isPolicyCase({ kind, expression }: JsonObject): boolean {
  return POLICY_KINDS.has(kind) || (kind === 'expr' && expression !== undefined);
}

/**
 * Compares all fields of a verdict on policies with the recorded verdict. Costs are left out if they depend on the random order of a Go
 * map.
 */
export function comparePolicyVerdicts(golden: VerdictValue, ours: VerdictValue, unstable: readonly string[]): VerdictComparison {
  const failure = member(ours, 'oracleError');
  if (typeof failure === 'string')
    return { verdict: false, exact: false, differences: [{ aspect: 'missing', golden: 'a verdict', ours: failure }] };
  const costsCount = !unstable.includes('cost');
  const text = (verdict: VerdictValue, aspect: string): string => {
    const value = member(verdict, aspect) ?? null;
    return masked(canonicalText(costsCount ? value : withoutCosts(value)));
  };
  const differing = ASPECTS.filter(([aspect]) => text(golden, aspect) !== text(ours, aspect));
  return {
    verdict: !differing.some(([, decisive]) => decisive),
    exact: differing.length === 0,
    differences: differing.map(([aspect]) => ({ aspect, golden: text(golden, aspect), ours: text(ours, aspect) })),
  };
}

/**
 * Masks random parts in texts of the Go implementation. Type names of schemas contain the time. If several fields are unknown, the random
 * order of a Go map determines which field is reported. The kind of space in protobuf errors differs between builds.
 */
const masked = (text: string): string =>
  text
    .replace(/([A-Z][A-Za-z]*)\d{6,}/g, '$1#')
    .replaceAll('proto:\u00a0', 'proto: ')
    .replace(/\.[A-Za-z0-9]+: field not declared in schema/g, '.*: field not declared in schema');

function withoutCosts(value: VerdictValue): VerdictValue {
  if (Array.isArray(value)) return (value as readonly VerdictValue[]).map(withoutCosts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as VerdictObject).filter(([key]) => key !== 'cost');
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutCosts(part)]));
}
