/**
 * How often this thread parsed, checked, estimated and planned expressions, for tests and benchmarks: what is shared is not done again. Only ever grows.
 */
export const EXPRESSION_WORK = { parsed: 0, checked: 0, estimated: 0, planned: 0 };
