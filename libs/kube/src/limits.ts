/** Cost limit for one evaluation of a rule, in cost units. Source: k8s.io/apiserver/pkg/apis/cel/config.go `PerCallLimit` (1.37). */
export const PER_CALL_LIMIT = 1_000_000;
/**
 * Cost limit for all rules of one object together, in cost units. Source: k8s.io/apiserver/pkg/apis/cel/config.go `RuntimeCELCostBudget`
 * (1.37).
 */
export const OBJECT_BUDGET = 10_000_000;

/**
 * Limit for the estimated cost of one expression, in cost units. Source: apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go (1.37).
 */
export const EXPRESSION_COST_LIMIT = 10_000_000n;
/**
 * Limit for the estimated cost of all rules in the schema of one version, in cost units. Source: apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go (1.37).
 */
export const SCHEMA_COST_LIMIT = 100_000_000n;

/**
 * Maximum size in bytes of the body of a create or update request. Source: `MaxRequestBodyBytes` in k8s.io/apiserver/pkg/server/config.go
 * (1.37).
 */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;
