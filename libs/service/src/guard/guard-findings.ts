import { OBJECT_BUDGET } from '#kube';
import type { Minor } from '#kube';
import { countEffect, emptyImpact, worstCauses } from '#evaluation';
import type { Effect } from '#evaluation';
import type { Engine } from '../ports.ts';
import { countPolicyImpact, emptyPolicyImpact } from '../what-if/policy-effect.ts';
import type { PolicyEffect, PolicyImpact } from '../what-if/policy-effect.ts';

/** The limits of a definition or a policy. */
export interface GuardLimits {
  /** Minors that have to take it. */
  readonly minors: readonly Minor[];
  /** The largest share of a server's limit, such as 0.8. It applies to a rule, all rules of a version, and the policies of a write. */
  readonly costShare: number;
  /** Effects that no stored object may meet; that a policy denies its next write is always one. */
  readonly breaking: readonly Effect[];
}

/** The parts of the guard of one write. */
export interface Guarding {
  readonly engine: Engine;
  readonly limits: GuardLimits;
  readonly findings: GuardFindings;
  /** Stops the guard. The findings so far remain valid. */
  readonly signal: AbortSignal;
}

/** The findings of a guard so far. They can be read at any time. */
export class GuardFindings {
  /** Sentences that do not depend on stored objects. */
  readonly #sentences: string[] = [];
  readonly #impact = emptyImpact();
  readonly #examples = new Map<Effect, string>();
  readonly #policyImpact = emptyPolicyImpact();
  readonly #policyExamples = new Map<PolicyEffect, string>();
  readonly #limits: Pick<GuardLimits, 'breaking' | 'costShare'>;
  /** The most that a change of policies adds to the cost of a write. */
  #dearest = { added: 0, name: '' };

  constructor(limits: Pick<GuardLimits, 'breaking' | 'costShare'>) {
    this.#limits = limits;
  }

  /** Objects that were judged. */
  get objects(): number {
    return this.#impact.objects + this.#policyImpact.objects;
  }

  /** CEL cost units of writes of all stored objects, under the policies before a change of them and after it; undefined where none was tried. */
  get policyCost(): { readonly before: number; readonly after: number } | undefined {
    const { objects, costBefore, costAfter } = this.#policyImpact;
    return objects === 0 ? undefined : { before: costBefore, after: costAfter };
  }

  /** The problems of the write, a sentence each; empty: none. */
  get sentences(): readonly string[] {
    const { effects } = this.#impact;
    const [cause] = worstCauses(this.#impact);
    const broken = this.#limits.breaking.flatMap((effect) => {
      if (effects[effect] === 0) return [];
      const example = this.#examples.get(effect);
      return [
        `${effects[effect]} of ${this.objects} stored objects ${WORDS[effect]}${example === undefined ? '' : `, such as ${example}`}`,
      ];
    });
    const why = broken.length > 0 && cause ? [`most of them for ${cause.cause.field}: ${cause.cause.message || cause.cause.reason}`] : [];
    return [...this.#sentences, ...broken, ...why, ...this.#policySentences()];
  }

  /** Adds a sentence. */
  add(sentence: string): void {
    this.#sentences.push(sentence);
  }

  /** Counts what the write does to a stored object. */
  count(effect: Parameters<typeof countEffect>[1]): void {
    countEffect(this.#impact, effect);
    if (effect.name !== undefined && !this.#examples.has(effect.effect)) this.#examples.set(effect.effect, effect.name);
  }

  /** Counts what a change of policies does to a write of a stored object. */
  countPolicyImpact(impact: PolicyImpact): void {
    countPolicyImpact(this.#policyImpact, impact);
    const { name = '', effect, messages, cost } = impact;
    if (!this.#policyExamples.has(effect)) this.#policyExamples.set(effect, [name, ...messages.slice(0, 1)].join(': '));
    const added = (cost.after ?? 0) - Math.max(0, cost.before ?? 0);
    if (added > this.#dearest.added) this.#dearest = { added, name };
  }

  #policySentences(): readonly string[] {
    const { effects, objects } = this.#policyImpact;
    const broken = (['denied', 'storedDifferently', 'notJudged'] as const).flatMap((effect) => {
      const { words, like } = POLICY_WORDS[effect];
      if (effects[effect] === 0 || (like !== undefined && !this.#limits.breaking.includes(like))) return [];
      return [`${effects[effect]} of ${objects} stored objects ${words}, such as ${this.#policyExamples.get(effect) ?? ''}`];
    });
    const { added, name } = this.#dearest;
    const share = added / OBJECT_BUDGET;
    if (share <= this.#limits.costShare) return broken;
    const dear = `a write of ${name} costs ${share.toFixed(3)} of the server's limit more, and ${this.#limits.costShare} of it is allowed here`;
    return [...broken, dear];
  }
}

/** Effects of a change of policies on writes that are held against it, with similar effects on stored objects. */
const POLICY_WORDS = {
  denied: { words: 'would be denied at their next write', like: undefined },
  storedDifferently: { words: 'would be stored differently at their next write', like: 'storedDifferently' },
  notJudged: { words: 'could not be judged', like: 'notJudged' },
} as const;

const WORDS: Readonly<Record<Effect, string>> = {
  unaffected: 'stay as they are',
  brokenOnUpdate: 'would be refused even unchanged',
  breaksOnNextChange: 'would be refused at their next change',
  savedByRatcheting: 'could not be created again',
  storedDifferently: 'would be stored differently',
  mended: 'would become valid',
  invalidBefore: 'are invalid already',
  notJudged: 'could not be judged',
};
