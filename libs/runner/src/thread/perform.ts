import type { CancellationToken } from '#go';
import type { DefinitionText, JudgingSettings, ObjectEffect } from '#documents';
import { unpackItems } from '../pack-items.ts';
import type { DocumentList, ResultOf, Work, WorkResult } from '../protocol.ts';
import { answerExpression } from './answer-expression.ts';
import { cutDocuments } from './cut-documents.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems } from './evaluate-items.ts';
import { explainCauses, explainText } from './explain-definition.ts';
import { findBounds, findCeilings } from './find-bounds.ts';
import type { JudgingCaches } from './judge-item.ts';
import { judgeEach, judgeSequence, judgeText } from './judge-definition.ts';
import { measureItems } from './measure-items.ts';
import { objectEffect } from './object-effect.ts';
import { PolicyCache, reviewPolicies } from './policies.ts';
import type { PolicyGrowth, RuleStudies, ThreadGauges } from './study-rules.ts';

/** All kinds of work that a thread can perform, except the work that splits texts into documents. */
export type JudgingWork = Exclude<Work, { readonly kind: 'documents' }>;

/** Kinds of work whose code a thread loads only when it gets such work. */
const LATE: ReadonlySet<Work['kind']> = new Set(['study', 'grow', 'study-policy']);

/** Performers of the work in {@link LATE}. */
interface LateWork {
  readonly studies: RuleStudies;
  readonly growth: PolicyGrowth;
}

/** Performer of the tasks of one thread, such as evaluations and studies. It caches compiled definitions and policies for later tasks. */
export class WorkPerformer {
  readonly #definitions = new DefinitionCache();
  readonly #policies = new PolicyCache();
  readonly #caches: JudgingCaches;
  readonly #gauges: ThreadGauges;
  #late: LateWork | undefined;

  /**
   * @param gauges functions that measure the thread, for studies of rules
   * @param thread name of the thread in traces
   */
  constructor(gauges: ThreadGauges = {}, thread?: string) {
    this.#gauges = gauges;
    this.#caches = { definitions: this.#definitions, policies: this.#policies, ...(thread !== undefined && { thread }) };
  }

  /** Loads the code of the work in {@link LATE}. Returns undefined if the code is already loaded or not needed. */
  load({ kind }: Work): Promise<void> | undefined {
    if (!LATE.has(kind) || this.#late !== undefined) return undefined;
    return import('./study-rules.ts').then(({ PolicyGrowth, RuleStudies }) => {
      this.#late ??= { studies: new RuleStudies(this.#definitions, this.#gauges), growth: new PolicyGrowth(this.#caches) };
    });
  }

  /**
   * Returns the digests of the texts that the work refers to and that are not in the caches. Only evaluations, growth (`grow`) and
   * studies of policies refer to texts by digest.
   */
  missing(work: Work): string[] {
    return work.kind === 'evaluate' || work.kind === 'grow' || work.kind === 'study-policy' ? this.#missingTexts(work.settings) : [];
  }

  /** Compiles the text of a definition or of policies. Throws `Cancelled` if the token requests cancellation. */
  compile(text: DefinitionText, token: CancellationToken): void {
    if (text.holds === 'policies') this.#policies.compile(text, token);
    else this.#definitions.compile(text);
  }

  /** Cuts a text into documents. Keeps the last definition of the text parsed, because it is usually validated next. */
  cut({ bytes, notation, limits }: Extract<Work, { readonly kind: 'documents' }>, token: CancellationToken): DocumentList {
    return cutDocuments(bytes, notation, limits, token, (definition, yaml) => this.#definitions.keep(definition, { yaml }));
  }

  /**
   * Performs work. All texts that the work needs must already be compiled. Throws `Cancelled` if the token requests cancellation and a
   * partial result would be useless.
   */
  perform<One extends JudgingWork>(work: One, token: CancellationToken): ResultOf<One> {
    // TypeScript cannot see that each case of `#result` returns the result of its own kind of work.
    return this.#result(work, token) as ResultOf<One>;
  }

  #result(work: JudgingWork, token: CancellationToken): WorkResult {
    switch (work.kind) {
      case 'evaluate':
        return evaluateItems(work, this.#caches, token);
      case 'grow':
        return this.#loaded.growth.grow(work, token);
      case 'study-policy':
        return this.#loaded.growth.study(work, token);
      case 'review-policies':
        return reviewPolicies(work.policies, work, token);
      case 'judge':
        return judgeText(work.definition, work, this.#definitions);
      case 'judge-each':
        return judgeEach(work.definitions, work, this.#definitions, token);
      case 'judge-sequence':
        return judgeSequence(work.definitions, work, this.#definitions, token);
      case 'judge-update':
        return judgeText(work.to, { ...work, rules: false }, this.#definitions, work.from);
      case 'what-if':
        return this.#effectsOf(work, token);
      case 'explain':
        return explainText(work.definition, work, this.#definitions, token);
      case 'causes':
        return explainCauses(work, this.#definitions);
      case 'bounds':
        return findBounds(work, this.#definitions, token);
      case 'ceilings':
        return findCeilings(work, this.#definitions, token);
      case 'measure':
        return measureItems(work, this.#definitions, token);
      case 'expression':
        return answerExpression(work, this.#definitions, token);
      case 'study':
        return this.#loaded.studies.perform(work, token);
    }
  }

  get #loaded(): LateWork {
    if (this.#late === undefined) throw new Error('the code of studies was not loaded');
    return this.#late;
  }

  #missingTexts({ definitions, policies: digest }: JudgingSettings): string[] {
    const missing = this.#definitions.missing(definitions.map((definition) => definition.digest));
    return digest === undefined || this.#policies.get(digest) ? missing : [...missing, digest];
  }

  /** Returns the effects on the objects of a chunk. If the work is cancelled, the effects on the remaining objects are missing. */
  #effectsOf(work: Extract<Work, { kind: 'what-if' }>, token: CancellationToken): ObjectEffect[] {
    const from = this.#definitions.compile(work.from);
    const to = this.#definitions.compile(work.to);
    if (!from.ok || !to.ok) throw new Error('a definition that was judged cannot be compiled');
    const change = { from: from.definition, to: to.definition, options: work.options };
    const effects: ObjectEffect[] = [];
    for (const [i, item] of unpackItems(work.items).entries()) {
      const effect = token.cancelled ? undefined : objectEffect(item, work.firstItem + i, change, token);
      if (!effect) break;
      effects.push(effect);
    }
    return effects;
  }
}
