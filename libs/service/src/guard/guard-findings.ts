import { OBJECT_BUDGET } from '#kube';
import type { Minor } from '#kube';
import { countEffect, emptyImpact, refusedWrite, worstCauses } from '#documents';
import type { Effect } from '#documents';
import type { Engine } from '../ports.ts';
import { countPolicyImpact, emptyPolicyImpact } from '../what-if/policy-effect.ts';
import type { PolicyEffect, PolicyImpact } from '../what-if/policy-effect.ts';

/** Limits for the check of a definition or a policy. */
export interface GuardLimits {
  /** Kubernetes minor versions that must accept the definition or policy. */
  readonly minors: readonly Minor[];
  /**
   * Maximum share of a server's cost limit, such as 0.8. It applies to each rule, to all rules of a version together, and to the cost that
   * a change of policies adds to a write.
   */
  readonly costShare: number;
  /**
   * Effects of a change on stored objects that count as a problem if any stored object has them. A policy that denies an object's next
   * write always counts as a problem.
   */
  readonly breaking: readonly Effect[];
}

/**
 * Engine, limits, findings and abort signal for the guard's check of one write request. The guard is the admission webhook that checks
 * changes of definitions and policies.
 */
export interface GuardCheck {
  readonly engine: Engine;
  readonly limits: GuardLimits;
  readonly findings: GuardFindings;
  /** Signal that ends the check. The findings up to this time remain valid. */
  readonly signal: AbortSignal;
}

/**
 * Findings of one check by the guard, the admission webhook that checks changes of definitions and policies. Callers can read them at any
 * time, also during the check.
 */
export class GuardFindings {
  /** Problems, one sentence each, that do not depend on stored objects. */
  readonly #sentences: string[] = [];
  readonly #impact = emptyImpact();
  readonly #examples = new Map<Effect, string>();
  readonly #policyImpact = emptyPolicyImpact();
  readonly #policyExamples = new Map<PolicyEffect, string>();
  readonly #limits: Pick<GuardLimits, 'breaking' | 'costShare'>;
  /** Largest cost that a change of policies adds to one write, in cost units, and the name of the object that this write concerns. */
  #costliest = { added: 0, name: '' };

  constructor(limits: Pick<GuardLimits, 'breaking' | 'costShare'>) {
    this.#limits = limits;
  }

  /** Number of stored objects that were evaluated. */
  get objects(): number {
    return this.#impact.objects + this.#policyImpact.objects;
  }

  /**
   * Total CEL cost units of the next writes of all stored objects, before and after a change of policies; undefined if no write was
   * evaluated.
   */
  get policyCost(): { readonly before: number; readonly after: number } | undefined {
    const { objects, costBefore, costAfter } = this.#policyImpact;
    return objects === 0 ? undefined : { before: costBefore, after: costAfter };
  }

  /** Problems of the write, one sentence each; empty if there are none. */
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
    const why = broken.length > 0 && cause ? [`most of them for ${cause.cause.field}: ${cause.cause.message}`] : [];
    return [...this.#sentences, ...broken, ...why, ...this.#policySentences()];
  }

  /** Adds a problem as a sentence. */
  add(sentence: string): void {
    this.#sentences.push(sentence);
  }

  /** Counts the effect of the new definition on one stored object. */
  count(effect: Parameters<typeof countEffect>[1]): void {
    countEffect(this.#impact, effect);
    if (effect.name === undefined || this.#examples.has(effect.effect)) return;
    const write = refusedWrite(effect);
    this.#examples.set(effect.effect, write === undefined ? effect.name : `${effect.name} (${write})`);
  }

  /** Counts the effect of a change of policies on the next write of one stored object. */
  countPolicyImpact(impact: PolicyImpact): void {
    countPolicyImpact(this.#policyImpact, impact);
    const { name = '', effect, messages, cost } = impact;
    if (!this.#policyExamples.has(effect)) this.#policyExamples.set(effect, [name, ...messages.slice(0, 1)].join(': '));
    const added = (cost.after ?? 0) - Math.max(0, cost.before ?? 0);
    if (added > this.#costliest.added) this.#costliest = { added, name };
  }

  #policySentences(): readonly string[] {
    const { effects, objects } = this.#policyImpact;
    const broken = (['denied', 'storedDifferently', 'notJudged'] as const).flatMap((effect) => {
      const { words, like } = POLICY_WORDS[effect];
      if (effects[effect] === 0 || (like !== undefined && !this.#limits.breaking.includes(like))) return [];
      return [`${effects[effect]} of ${objects} stored objects ${words}, such as ${this.#policyExamples.get(effect) ?? ''}`];
    });
    const { added, name } = this.#costliest;
    const share = added / OBJECT_BUDGET;
    if (share <= this.#limits.costShare) return broken;
    const dear = `a write of ${name} costs ${share.toFixed(3)} of the server's limit more, and ${this.#limits.costShare} of it is allowed here`;
    return [...broken, dear];
  }
}

/**
 * Words that describe the effects of a policy change that count as problems. An effect with `like` counts only if the limits list `like` as
 * breaking.
 */
const POLICY_WORDS = {
  denied: { words: 'would be denied at their next write', like: undefined },
  storedDifferently: { words: 'would be stored differently at their next write', like: 'storedDifferently' },
  notJudged: { words: 'could not be judged', like: 'notJudged' },
} as const;

const WORDS: Readonly<Record<Effect, string>> = {
  unaffected: 'stay as they are',
  brokenOnUpdate: 'could no longer be written',
  breaksOnNextChange: 'would be refused at their next change',
  savedByRatcheting: 'could not be created again',
  storedDifferently: 'would be stored differently',
  mended: 'would become valid',
  invalidBefore: 'are invalid already',
  notJudged: 'could not be judged',
};
