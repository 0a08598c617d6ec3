import type { EvaluationOptions } from '#evaluation';
import type { Engine } from '#runner';
import { POLICY_EFFECTS, policyImpact } from '#service';
import type { PolicyEffect, PolicyImpact } from '#service';
import { evaluate } from './evaluate.ts';
import type { PlacedVerdict } from './evaluate.ts';
import { documentsOf } from './read-documents.ts';
import type { InputFile } from './read-inputs.ts';
import { shownInLine } from './shown-text.ts';

/** A change of admission policies, and the objects over which it is tried. */
export interface PolicyChange {
  /** Policies and bindings as they are, and as they shall be; what else stands with them is read as it stands there. */
  readonly from: readonly InputFile[];
  readonly to: readonly InputFile[];
  readonly objects: readonly InputFile[];
}

/** What a change of admission policies does to the writes of objects. */
export interface PolicyChangeOutcome {
  readonly effects: Readonly<Record<PolicyEffect, number>>;
  /** Those that are affected. */
  readonly objects: readonly (PolicyImpact & { readonly source: string; readonly name?: string })[];
  /** CEL cost units of all writes, under the old and the new policies. */
  readonly costBefore: number;
  readonly costAfter: number;
}

/** Has all objects judged under the old and under the new policies, and compares. */
export async function changePolicies(change: PolicyChange, options: EvaluationOptions, host: Engine): Promise<PolicyChangeOutcome> {
  const judge = async (policies: readonly InputFile[]) =>
    evaluate(await documentsOf([...change.objects, ...policies], host), { ...options, returnObjects: true }, host);
  const before = await judge(change.from);
  const after = await judge(change.to);
  const effects: Record<PolicyEffect, number> = { ...NONE };
  const known = new Map(before.items.map((item) => [item.source, item]));
  const own = new Set(change.objects.map(({ name }) => name));
  const objects = after.items
    .filter((item) => own.has(fileOf(item)))
    .map((item) => {
      const impact = policyImpact(known.get(item.source), item);
      effects[impact.effect]++;
      return { source: item.source, ...(item.name !== undefined && { name: item.name }), ...impact };
    });
  return {
    effects,
    objects: objects.filter(({ effect }) => effect !== 'unaffected'),
    costBefore: before.summary.celCost,
    costAfter: after.summary.celCost,
  };
}

const NONE = Object.fromEntries(POLICY_EFFECTS.map((effect) => [effect, 0])) as Readonly<Record<PolicyEffect, number>>;

const fileOf = ({ source }: PlacedVerdict): string => source.slice(0, source.lastIndexOf('#'));

/** Whether files hold admission policies. */
export async function holdsPolicies(inputs: readonly InputFile[], host: Engine): Promise<boolean> {
  return (await documentsOf(inputs, host)).policies.policies.length > 0;
}

/** Objects listed one by one in text; all of them are counted. */
const LISTED = 50;

/** The outcome as lines for people: the most harmful effects first. */
export function policyChangeText({ effects, objects, costBefore, costAfter }: PolicyChangeOutcome): string {
  const listed = POLICY_EFFECTS.flatMap((effect) => objects.filter((object) => object.effect === effect));
  const lines = listed
    .slice(0, LISTED)
    .flatMap(({ source, name, effect, messages }) => [
      shownInLine(`${source}${name === undefined ? '' : ` ${JSON.stringify(name)}`} ${WORDS[effect]}`),
      ...messages.map((text) => `    ${shownInLine(text)}`),
    ]);
  if (listed.length > LISTED) lines.push(`… and ${listed.length - LISTED} more (-o json lists all)`);
  const counts = POLICY_EFFECTS.map((effect) => `${WORDS[effect]}: ${effects[effect]}`).join(', ');
  const count = Object.values(effects).reduce((sum, one) => sum + one, 0);
  return `${[...lines, `Summary: ${count} objects - ${counts}; CEL cost ${costBefore} → ${costAfter}`].join('\n')}\n`;
}

const WORDS: Readonly<Record<PolicyEffect, string>> = {
  denied: 'denied',
  warned: 'warned of',
  storedDifferently: 'stored differently',
  allowed: 'allowed again',
  deniedBefore: 'denied before',
  unaffected: 'unaffected',
  notJudged: 'not judged',
};
