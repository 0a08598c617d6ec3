/**
 * Counters of schema nodes that this thread decoded, converted and compiled, for tests and benchmarks. Equal nodes count once. The counters
 * never decrease.
 */
export const SCHEMA_WORK = { decoded: 0, converted: 0, validators: 0, ruleNodes: 0 };
