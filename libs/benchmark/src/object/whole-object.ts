import { CelError } from '#cel';
import { copyJson, isJsonObject } from '#go';
import type { CancellationToken, JsonObject } from '#go';
import { pathText } from '#kube';
import { validateObject } from '#crd';
import type { CompiledDefinition, LoneRule, ObjectWrite, RuleObserver } from '#crd';
import type { Candidate } from '../search/rule-probe.ts';
import { writingOfOld } from '../search/rule-probe.ts';
import { addIdentity } from '../values/plan-of-object.ts';
import { STOPPED, writeValue } from '../values/write-value.ts';
import type { Version, WritingParts } from '../values/write-value.ts';

/** A reason why an object is not accepted. */
export interface Obstacle {
  /** Source of the rule that fails. Undefined if the object is rejected for a reason that is not a rule, for example a schema keyword. */
  readonly rule: string | undefined;
  /** Field path in the object, such as `spec.rules[0]`. */
  readonly at: string;
  readonly text: string;
}

/** Result of validating a whole object, the same as on a server. */
export interface ObjectTrial {
  readonly kind: 'judged';
  readonly isAccepted: boolean;
  /** Size of the object in bytes of JSON. */
  readonly bytes: number;
  /** Number of evaluations of the studied rule. `cost` is the sum of the costs of these evaluations, in cost units. */
  readonly evaluations: number;
  readonly cost: number;
  /** Cost limit that ended the validation: the limit of one call, or the limit of all rules together. Undefined if no limit ended it. */
  readonly limit: 'call' | 'object' | undefined;
  /**
   * True if the studied rule reaches the limit, and nothing else rejects the object. The limit of one call is reached by an evaluation of the
   * rule itself. The limit of all rules together is reached with at least one evaluation of the rule.
   */
  readonly isOnlyTooExpensive: boolean;
  readonly obstacles: readonly Obstacle[];
  readonly object: JsonObject;
  /** The write that was validated, as input of the validation. */
  readonly write: ObjectWrite;
}

/**
 * Result of validating a whole object that the search of a study generated, or the reason why the object was not validated. `refused` means
 * that the object could not be generated. `stopped` means that the search was cancelled.
 */
export type WholeTrial = ObjectTrial | { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'stopped' };

/**
 * Validator of whole objects, in contrast to the values of a single schema node. For each object, it counts the evaluations and the cost of
 * the studied rule.
 */
export class WholeObject {
  readonly #definition: CompiledDefinition;
  readonly #rule: LoneRule;
  readonly #parts: WritingParts;
  /** Number of objects that were validated so far. */
  judged = 0;

  constructor(definition: CompiledDefinition, rule: LoneRule, parts: WritingParts) {
    this.#definition = definition;
    this.#rule = rule;
    this.#parts = parts;
  }

  /** Validates the object that a candidate describes. The write is an update if the rule needs an old object, and a create otherwise. */
  judge({ plan, old }: Candidate, token: CancellationToken | undefined): WholeTrial {
    if (token?.cancelled === true) return { kind: 'stopped' };
    const { version } = this.#rule;
    const written = this.#write(plan, 'usual', token);
    if (typeof written === 'string') return notWritten(written);
    const before = old === 'none' ? undefined : this.#oldObject({ plan, old }, written.object, token);
    if (typeof before === 'string') return notWritten(before);
    let [evaluations, cost] = [0, 0];
    let isCallOver = false;
    const failed: Obstacle[] = [];
    const observer: RuleObserver = (rule, at, evaluation) => {
      if (rule === this.#rule.rule) {
        evaluations += 1;
        cost += evaluation.cost;
        isCallOver ||= evaluation.value instanceof CelError && evaluation.value.code === 'costLimitExceeded';
      }
      if (evaluation.value === true) return;
      const text = evaluation.value instanceof CelError ? evaluation.value.message : 'does not hold';
      failed.push({ rule: rule.source.rule, at: pathText(at), text });
    };
    this.judged += 1;
    const isStatus = this.#isStatus;
    const write: ObjectWrite = {
      operation: isStatus || before !== undefined ? 'UPDATE' : 'CREATE',
      ...(isStatus && { subresource: 'status' as const }),
      body: written.object,
      fieldValidation: 'Ignore',
      version: version.name,
      ...((isStatus || before) && { oldObject: before ?? withoutStatus(written.object) }),
    };
    const verdict = validateObject(this.#definition, write, { observer, exact: true, ...(token && { token }) });
    if ('cancelled' in verdict) return { kind: 'stopped' };
    const message = verdict.accepted ? '' : (verdict.status.message ?? '');
    const limit = /call cost exceeds limit/.test(message) ? 'call' : /out of cost budget/.test(message) ? 'object' : undefined;
    const errors = verdict.accepted ? [] : verdict.errors.map(({ field, detail }) => ({ rule: undefined, at: field, text: detail }));
    const obstacles = failed.length > 0 ? failed : errors;
    const isReached = limit === 'call' ? isCallOver : limit === 'object' && evaluations > 0;
    return {
      kind: 'judged',
      isAccepted: verdict.accepted,
      bytes: written.bytes,
      evaluations,
      cost,
      limit,
      isOnlyTooExpensive: isReached && errors.every(({ text }) => COST_ERROR.test(text)),
      obstacles,
      object: written.object,
      write,
    };
  }

  /** Returns the size in bytes of JSON of the object that a candidate describes. Returns undefined if the object cannot be generated. */
  bytes({ plan }: Candidate, token: CancellationToken | undefined): number | undefined {
    const written = this.#write(plan, 'usual', token);
    return typeof written === 'string' ? undefined : written.bytes;
  }

  /** True if the rule is evaluated only in writes of the status subresource. */
  get #isStatus(): boolean {
    const [first] = this.#rule.steps;
    return this.#rule.version.hasStatus && first?.kind === 'property' && first.name === 'status';
  }

  #oldObject({ plan, old }: Candidate, object: JsonObject, token: CancellationToken | undefined): JsonObject | string {
    if (old === 'same') return copyJson(object);
    if (old === 'none') return object;
    const writing = writingOfOld(plan, old);
    const written = this.#write(writing.plan, writing.version, token);
    return typeof written === 'string' ? written : written.object;
  }

  #write(
    plan: Candidate['plan'],
    version: Version,
    token: CancellationToken | undefined,
  ): { readonly object: JsonObject; readonly bytes: number } | string {
    const written = writeValue({ schema: this.#rule.version.schema, field: '' }, plan, this.#parts, { version, token });
    if (!written.ok) return written.reason;
    if (!isJsonObject(written.value)) return 'the schema is not that of an object';
    addIdentity(written.value, this.#rule.version, plan);
    return { object: written.value, bytes: written.bytes };
  }
}

/** Details of the errors with which a cost limit ends a validation. */
const COST_ERROR = /call cost exceeds limit|running out of cost budget/;

const notWritten = (reason: string): WholeTrial => (reason === STOPPED ? { kind: 'stopped' } : { kind: 'refused', reason });

/** Returns a copy of an object without its status. This copy is the old object of the first write of the status. */
function withoutStatus(object: JsonObject): JsonObject {
  const copy = copyJson(object);
  delete copy['status'];
  return copy;
}
