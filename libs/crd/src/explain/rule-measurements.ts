import type { NodeReadings, PricedPart } from '#cel';
import { pathText } from '#kube';
import type { FieldPath } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import type { CompiledRule, RuleObserver } from '../rules/compiled-rules.ts';
import { loneRules } from '../rules/lone-rule.ts';
import { validateObject } from '../object/validate-object.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';

/** The measured cost of a rule over a number of objects. */
export interface MeasuredRule {
  readonly version: string;
  /** As in RuleCost. */
  readonly path: string;
  /** Objects in which it was evaluated. */
  readonly objects: number;
  readonly evaluations: number;
  /** Cost units of all evaluations together. */
  readonly cost: number;
  /** The evaluation that cost most, the first of these. */
  readonly dearest: DearestEvaluation;
}

/** One evaluation of a rule, taken apart. */
export interface DearestEvaluation {
  /** Number of the object, as given. */
  readonly object: number;
  /** Path in the object: `spec.rules[0]`; `<nil>` at the root. */
  readonly at: string;
  readonly cost: number;
  readonly parts: PricedPart;
}

interface Tally {
  objects: number;
  evaluations: number;
  cost: number;
  lastObject: number | undefined;
  dearest:
    { readonly object: number; readonly at: FieldPath | undefined; readonly cost: number; readonly readings: NodeReadings } | undefined;
}

/** Judges objects and adds up what the rules of their definition cost. */
export class RuleMeasurements {
  readonly #definition: CompiledDefinition;
  readonly #tallies = new Map<CompiledRule, Tally>();

  /** @param definition compiled to be measured */
  constructor(definition: CompiledDefinition) {
    this.#definition = definition;
  }

  /** Judges an object as {@link validateObject} does; `object` is a number that the results name it by. */
  judge(object: number, write: ObjectWrite, options: ValidationOptions): ObjectVerdict {
    const observer: RuleObserver = (rule, at, { cost, readings }) => {
      const tally = this.#tallyOf(rule);
      tally.evaluations++;
      tally.cost += cost;
      if (tally.lastObject !== object) tally.objects++;
      tally.lastObject = object;
      if (readings !== undefined && cost > (tally.dearest?.cost ?? -1)) tally.dearest = { object, at, cost, readings };
    };
    return validateObject(this.#definition, write, { ...options, observer });
  }

  /** The rules that were evaluated, in the order of the definition. */
  rules(): MeasuredRule[] {
    return this.#definition.versions.flatMap((version) => {
      const served = this.#definition.serve(version);
      if (served?.ok !== true) return [];
      return loneRules(served.version).flatMap(({ rule, path }) => this.#result(version, path, rule) ?? []);
    });
  }

  #result(version: string, path: string, rule: CompiledRule): MeasuredRule | undefined {
    const tally = this.#tallies.get(rule);
    if (tally?.dearest === undefined || rule.price === undefined) return undefined;
    const { objects, evaluations, cost, dearest } = tally;
    const parts = rule.price(dearest.readings);
    return {
      version,
      path,
      objects,
      evaluations,
      cost,
      dearest: { object: dearest.object, at: pathText(dearest.at), cost: dearest.cost, parts },
    };
  }

  #tallyOf(rule: CompiledRule): Tally {
    const known = this.#tallies.get(rule);
    if (known !== undefined) return known;
    const made: Tally = { objects: 0, evaluations: 0, cost: 0, lastObject: undefined, dearest: undefined };
    this.#tallies.set(rule, made);
    return made;
  }
}
