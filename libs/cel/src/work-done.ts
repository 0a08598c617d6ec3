/**
 * Counters of expressions that this thread parsed, checked, estimated and planned, for tests and benchmarks. A result that several rules
 * share counts once. The counters never decrease.
 */
export const EXPRESSION_WORK = { parsed: 0, checked: 0, estimated: 0, planned: 0 };
