import { LATEST_MINOR, minorNumber } from '#kube';
import type { Minor } from '#kube';

/** How values behave, and what their types are called, where that changed between minors. */
export interface ValueRules {
  /** `==` of lists of type set and map asks only whether each element has a partner, so that `['a', 'b'] == ['a', 'a']`. */
  readonly duplicatesHide: boolean;
  /** Elements of map lists are told apart by raw data under escaped key names also when lists are added. */
  readonly keysAreRaw: boolean;
  /** A field that is null on both sides makes objects unequal. */
  readonly nullFieldsDiffer: boolean;
  /** Reading a variable that is an optional takes the schema off the value it holds. */
  readonly optionalsLoseSchemas: boolean;
  /** A comprehension computes its accumulator's first value also when nothing reads it. */
  readonly accumulatorsAreEager: boolean;
  /** A step from a variable whose value is an error is taken, and paid for, before the error is noticed. */
  readonly errorsAreQualified: boolean;
  /** The type of optional values is called `optional` instead of `optional_type`. */
  readonly optionalsHaveShortName: boolean;
}

/** The first server minor without each old behaviour. Sources: k8s.io/apiserver/pkg/cel/common (1.34, 1.37), cel-go v0.17.8, v0.22.0 and v0.29.2. */
const GONE_IN: Readonly<Record<keyof ValueRules, number>> = {
  duplicatesHide: 37,
  keysAreRaw: 37,
  nullFieldsDiffer: 34,
  optionalsLoseSchemas: 37,
  accumulatorsAreEager: 32,
  errorsAreQualified: 31,
  optionalsHaveShortName: 31,
};

const made = new Map<Minor, ValueRules>();

/** The rules of a minor; one object per minor. */
export function valueRules(minor: Minor): ValueRules {
  let rules = made.get(minor);
  if (rules === undefined) {
    const applies = (rule: keyof ValueRules): boolean => minorNumber(minor) < GONE_IN[rule];
    rules = {
      duplicatesHide: applies('duplicatesHide'),
      keysAreRaw: applies('keysAreRaw'),
      nullFieldsDiffer: applies('nullFieldsDiffer'),
      optionalsLoseSchemas: applies('optionalsLoseSchemas'),
      accumulatorsAreEager: applies('accumulatorsAreEager'),
      errorsAreQualified: applies('errorsAreQualified'),
      optionalsHaveShortName: applies('optionalsHaveShortName'),
    };
    made.set(minor, rules);
  }
  return rules;
}

const LATEST = valueRules(LATEST_MINOR);
let current = LATEST;

/** The rules in force. */
export function rulesInForce(): ValueRules {
  return current;
}

/** True when a minor's values behave as the latest minor's do. */
export function areLatest(rules: ValueRules): boolean {
  return Object.keys(GONE_IN).every((rule) => !rules[rule as keyof ValueRules]);
}

/** Runs a compilation or an evaluation under the rules of its minor. Both are synchronous, so one set of rules is in force at a time. */
export function underRules<T>(rules: ValueRules, evaluate: () => T): T {
  const outer = current;
  current = rules;
  try {
    return evaluate();
  } finally {
    current = outer;
  }
}
