import type { NodeReadings, CostedPart } from '#cel';
import { pathText } from '#kube';
import type { FieldPath } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import type { CompiledRule, RuleObserver } from '../rules/compiled-rules.ts';
import { loneRules } from '../rules/lone-rule.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';

/** Measured cost of a rule over all objects on which verdicts were computed. */
export interface MeasuredRule {
  readonly version: string;
  /** Path of the rule, as in RuleCost. */
  readonly path: string;
  /** Number of objects in which the rule was evaluated. */
  readonly objects: number;
  readonly evaluations: number;
  /** Cost of all evaluations together, in cost units. */
  readonly cost: number;
  /** Evaluation with the highest cost. If several evaluations have this cost, the first is used. */
  readonly costliest: CostliestEvaluation;
}

/** Most expensive evaluation of a rule over all measured objects, with the cost of each part of the rule. */
export interface CostliestEvaluation {
  /** Number that the caller assigned to the object. */
  readonly object: number;
  /** Path of `self` in the object, such as `spec.rules[0]`; `<nil>` for the whole object. */
  readonly at: string;
  readonly cost: number;
  readonly parts: CostedPart;
}

interface Tally {
  objects: number;
  evaluations: number;
  cost: number;
  lastObject: number | undefined;
  costliest:
    | { readonly object: number; readonly at: FieldPath | undefined; readonly cost: number; readonly readings: NodeReadings }
    | undefined;
}

/** Measurement that computes verdicts on objects and adds up the costs of the definition's rules. */
export class RuleMeasurements {
  readonly #definition: CompiledDefinition;
  readonly #tallies = new Map<CompiledRule, Tally>();

  /** @param definition Definition that was compiled with the engine for measuring. */
  constructor(definition: CompiledDefinition) {
    this.#definition = definition;
  }

  /**
   * Computes the verdict on an object as {@link validateObject} does, and records the costs of its rules. `object` is the number under
   * which the results refer to the object.
   */
  judge(object: number, write: ObjectWrite, options: ValidationOptions): ObjectVerdict {
    const observer: RuleObserver = (rule, at, { cost, readings }) => {
      const tally = this.#tallyOf(rule);
      tally.evaluations++;
      tally.cost += cost;
      if (tally.lastObject !== object) tally.objects++;
      tally.lastObject = object;
      if (readings !== undefined && cost > (tally.costliest?.cost ?? -1)) tally.costliest = { object, at, cost, readings };
    };
    return validateObject(this.#definition, write, { ...options, observer });
  }

  /** Returns the rules that were evaluated, in the order of the definition. */
  rules(): MeasuredRule[] {
    return this.#definition.versions.flatMap((version) => {
      const served = this.#definition.serve(version);
      if (served?.ok !== true) return [];
      return loneRules(served.version).flatMap(({ rule, path }) => this.#result(version, path, rule) ?? []);
    });
  }

  #result(version: string, path: string, rule: CompiledRule): MeasuredRule | undefined {
    const tally = this.#tallies.get(rule);
    if (tally?.costliest === undefined || rule.price === undefined) return undefined;
    const { objects, evaluations, cost, costliest } = tally;
    const parts = rule.price(costliest.readings);
    return {
      version,
      path,
      objects,
      evaluations,
      cost,
      costliest: { object: costliest.object, at: pathText(costliest.at), cost: costliest.cost, parts },
    };
  }

  #tallyOf(rule: CompiledRule): Tally {
    const known = this.#tallies.get(rule);
    if (known !== undefined) return known;
    const made: Tally = { objects: 0, evaluations: 0, cost: 0, lastObject: undefined, costliest: undefined };
    this.#tallies.set(rule, made);
    return made;
  }
}
