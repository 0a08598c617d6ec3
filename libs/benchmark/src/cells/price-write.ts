import { CelError } from '#cel';
import { validateObject } from '#crd';
import type { RuleObserver } from '#crd';
import { copyJson, isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonObject } from '#go';
import { MEASURED_MODEL } from '../prediction/measured-models.ts';
import { predictServerTime } from '../prediction/predict-server-time.ts';
import type { RuleFamily } from '../prediction/rule-family.ts';
import { serverWork } from '../prediction/server-work.ts';
import type { CellPorts, StudiedDefinition } from './studied-definition.ts';

/** Predicted time of an API server for all rules of a write, or the reason why there is no prediction. */
export type PredictedWriteTime =
  | {
      readonly kind: 'predicted';
      /** Predicted CPU time for all evaluations of rules in the write, in ms. */
      readonly ms: number;
      /** Family of rules with the largest part of the time. Absent if no rule was evaluated. */
      readonly family?: RuleFamily;
    }
  | { readonly kind: 'notPredicted'; readonly reason: string };

/** Create of an object, with its cost and its predicted time. */
export interface PricedWrite {
  /** Object as JSON. */
  readonly object: string;
  /** Size of the object in bytes of JSON. */
  readonly bytes: number;
  readonly isAccepted: boolean;
  /** Cost of all rules in cost units. If a cost limit ends the write, only the cost units up to the limit count. */
  readonly cost: number;
  readonly serverTime: PredictedWriteTime;
}

/** Terms on which the objects of a study are created. */
export interface WriteTerms {
  /** Name under which the object is created. If the definition accepts the object only under its own name, it keeps its own name. */
  readonly name: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

/** Share of the cost of a write that rules without a prediction may have. Above it, there is no prediction for the write. */
const MAX_UNKNOWN_SHARE = 0.05;

/**
 * Determines the cost of creating an object, and predicts how long an API server evaluates the rules. `studied` is compiled for the engine
 * `measured`. `version` is the API version of the object, such as `v1`. Returns undefined if the validation was cancelled.
 */
export function priceWrite(
  studied: StudiedDefinition,
  { object, version }: { readonly object: JsonObject; readonly version: string },
  { name, fieldValidation }: WriteTerms,
  { token }: CellPorts,
): PricedWrite | undefined {
  const priced = (body: JsonObject): PricedWrite | undefined => {
    const sum = new PriceSum();
    const write = { operation: 'CREATE', body, fieldValidation, version, ownedFields: 'takenOff' } as const;
    const verdict = validateObject(studied.definition, write, { observer: sum.observer, exact: true, token });
    if ('cancelled' in verdict) return undefined;
    const text = writeJson(body);
    const bytes = Buffer.byteLength(text);
    return { object: text, bytes, isAccepted: verdict.accepted, cost: sum.cost, serverTime: sum.serverTime };
  };
  const own = withoutOwnedFields(object);
  const metadata = own['metadata'];
  const isNamed = isJsonObject(metadata) && metadata['name'] !== undefined;
  const renamed = priced(named(own, name));
  if (renamed === undefined || renamed.isAccepted || !isNamed) return renamed;
  const original = priced(own);
  return original?.isAccepted === true ? original : renamed;
}

/** Fields of the metadata that a server sets. A create must not contain them. */
const OWNED = ['resourceVersion', 'uid', 'creationTimestamp', 'managedFields', 'generation', 'selfLink', 'generateName'];

function withoutOwnedFields(object: JsonObject): JsonObject {
  const copy = copyJson(object);
  const { metadata } = copy;
  if (isJsonObject(metadata)) for (const field of OWNED) delete metadata[field];
  return copy;
}

function named(object: JsonObject, name: string): JsonObject {
  const copy = copyJson(object);
  const { metadata } = copy;
  copy['metadata'] = Object.assign(isJsonObject(metadata) ? metadata : newJsonObject(), { name });
  return copy;
}

/** Sum of the costs and of the predicted times of all evaluations of rules in one write. */
class PriceSum {
  cost = 0;
  #unknown = 0;
  #reason: string | undefined;
  #isEnded = false;
  readonly #msByFamily = new Map<RuleFamily, number>();
  /** Predictions by rule and cost, because evaluations of the same rule with the same cost take the same steps. */
  readonly #known = new Map<Parameters<RuleObserver>[0], Map<number, ReturnType<typeof predictServerTime>>>();

  readonly observer: RuleObserver = (rule, _, { value, cost, readings }) => {
    this.cost += cost;
    if (value instanceof CelError || value !== true) this.#isEnded = true;
    const byCost = this.#known.get(rule) ?? new Map<number, ReturnType<typeof predictServerTime>>();
    this.#known.set(rule, byCost);
    const { checked } = rule;
    const predicted =
      byCost.get(cost) ?? (checked && readings ? predictServerTime(serverWork(checked, readings), MEASURED_MODEL) : undefined);
    if (predicted !== undefined) byCost.set(cost, predicted);
    if (predicted?.kind === 'predicted')
      this.#msByFamily.set(predicted.family, (this.#msByFamily.get(predicted.family) ?? 0) + predicted.ms);
    else {
      this.#unknown += cost;
      this.#reason ??= predicted?.reason ?? 'the steps of a rule are not known';
    }
  };

  get serverTime(): PredictedWriteTime {
    if (this.#isEnded) return { kind: 'notPredicted', reason: 'a limit ends the evaluation, or a rule does not hold' };
    if (this.#reason !== undefined && this.#unknown > MAX_UNKNOWN_SHARE * this.cost) return { kind: 'notPredicted', reason: this.#reason };
    const [costliest] = [...this.#msByFamily].toSorted(([, a], [, b]) => b - a);
    const ms = [...this.#msByFamily.values()].reduce((sum, one) => sum + one, 0);
    return { kind: 'predicted', ms, ...(costliest && { family: costliest[0] }) };
  }
}
