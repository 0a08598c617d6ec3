/** Cost units that one evaluation of a rule may take. Source: k8s.io/apiserver/pkg/apis/cel/config.go `PerCallLimit` (1.37). */
export const PER_CALL_LIMIT = 1_000_000;
/** Cost units that all rules of one object may take together. Source: k8s.io/apiserver/pkg/apis/cel/config.go `RuntimeCELCostBudget` (1.37). */
export const OBJECT_BUDGET = 10_000_000;

/** Static cost limit of one expression. Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go (1.37). */
export const EXPRESSION_COST_LIMIT = 10_000_000n;
/** Static cost limit of one version's schema. Source: as above. */
export const SCHEMA_COST_LIMIT = 100_000_000n;
