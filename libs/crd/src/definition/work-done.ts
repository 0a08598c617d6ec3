/** How often this thread decoded, converted and compiled nodes of schemas, for tests and benchmarks: equal nodes are one. Only ever grows. */
export const SCHEMA_WORK = { decoded: 0, converted: 0, validators: 0, ruleNodes: 0 };
