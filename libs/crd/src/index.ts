export type { CostedPart } from '#cel';
export type {
  DefinitionCondition,
  DefinitionVerdict,
  EvaluatedRule,
  ExactVerdict,
  FieldValidation,
  ObjectCost,
  ObjectVerdict,
  ObjectWrite,
  PhaseTimings,
  RuleCost,
  ValidationOptions,
  YamlBody,
} from './verdict.ts';
export { compositeMadeInto, definitionsOfComposite } from './crossplane/composite-definition.ts';
export type { CrossplaneDefinition } from './crossplane/composite-definition.ts';
export { compileDefinition } from './definition/compile-definition.ts';
export type { CompiledDefinition, DefinitionOutcome } from './definition/compile-definition.ts';
export type { Advice, AdviceExample, AdviceKind } from './advice/advice.ts';
export { ADVICE_KINDS } from './advice/all-kinds.ts';
export { boundCeilings } from './explain/bound-ceilings.ts';
export type { BoundCeiling } from './explain/bound-ceilings.ts';
export { chooseDefinitionBounds, explainDefinition } from './explain/explain-definition.ts';
export type { BoundsQuestion, VersionBounds } from './explain/explain-definition.ts';
export type { ChosenBounds } from './explain/suggest-bounds.ts';
export type { LimitedCost } from './explain/limited-cost.ts';
export { isCostError } from './definition/admission/rule-costs.ts';
export { objectCauses } from './causes/reported-causes.ts';
export { verdictCauses } from './causes/verdict-causes.ts';
export type { ConcernedRule, JudgingServer, VerdictCauses } from './causes/verdict-causes.ts';
export type { VerdictCause } from './causes/compile-causes.ts';
export type { DefinitionExplanation, ExplainOptions } from './explain/explain-definition.ts';
export type { RuleExplanation, ExplainedSchema } from './explain/explain-version.ts';
export type { SchemaBound, BoundChange, Suggestion, BoundKeyword } from './explain/bounds.ts';
export { AnalyzedDefinition, DefinitionMemory } from './explain/analyzed-definition.ts';
export type { AnalyzedNode } from './explain/analyzed-definition.ts';
export { nodeAtPath, schemaPathText } from './schema/schema-path.ts';
export type { SchemaPath, SchemaStep } from './schema/schema-path.ts';
export { RecentDefinitions } from './schema/recent-definitions.ts';
export type { SchemaProps } from './schema/schema-props.ts';
export { schemaChanges } from './diff/schema-changes.ts';
export { KEYWORDS } from './keywords/all.ts';
export type { Keyword } from './keywords/keyword.ts';
export type { Vocabulary, VocabularyKeyword } from './keywords/vocabulary.ts';
export { CRD_DIFFERENCES, SCHEME_LINE_DIFFERENCES } from './minors/minors.ts';
export type { RuleObserver } from './rules/compiled-rules.ts';
export { LoneRule, loneRules } from './rules/lone-rule.ts';
export { RuleMeasurements } from './explain/rule-measurements.ts';
export type { MeasuredRule } from './explain/rule-measurements.ts';
export type { DefinitionOptions } from './definition/judge-definition.ts';
export { judgeDefinition } from './definition/judge-definition.ts';
export { SCHEMA_WORK } from './definition/work-done.ts';
export { storedDefinition } from './definition/admission/read-definition.ts';
export type { AdmissionAnswer, AdmittedWrite, MutationAnswer, WriteAdmission } from './object/write-admission.ts';
export { decodeBody, strictWarnings } from './object/write/decode-body.ts';
export { tryFastAccept, validateExactly, validateObject, validateWithTimings } from './object/validate-object.ts';
export { traceWrite } from './object/trace-write.ts';
export type { WriteTrace } from './object/trace-write.ts';
export { readYamlBody } from './object/json-bytes.ts';
export { compileStoredDefinition } from './definition/compile-definition.ts';
export { evaluateBareExpression, evaluateExpression } from './expression/evaluate-expression.ts';
export type { ExpressionAnswer, ExpressionQuestion, ExpressionResult } from './expression/evaluate-expression.ts';
export type { ExpressionTrace } from './expression/traced-evaluation.ts';
export { validateValue } from './object/validate-value.ts';
export type { ValueAnswer, ValueWrite } from './object/validate-value.ts';
export type { Edit } from './next-change/edits-beside.ts';
export { editsOfScale } from './next-change/edits-beside.ts';
export { frozenFields, breakingEdit, findingKey } from './next-change/next-change.ts';
export type { BreakingEdit, KeptObject } from './next-change/next-change.ts';
export { applyDefaults } from './object/write/default.ts';
export type { ServedVersion } from './object/served-version.ts';
export { publishedSchema } from './structural/published-schema.ts';
