// The engine for Node and pages: it computes verdicts from definitions and objects. It is plain ECMAScript with a few web globals
// (TextEncoder, atob, Intl). The caller passes a linker for generated code in `engine`. Without a linker, rules are interpreted.
export { compileDefinition, compileStoredDefinition, explainDefinition, judgeDefinition, validateObject, validateValue } from '#crd';
export type {
  CompiledDefinition,
  DefinitionExplanation,
  DefinitionOptions,
  DefinitionOutcome,
  DefinitionVerdict,
  FieldValidation,
  ObjectVerdict,
  ObjectWrite,
  RuleCost,
  ValidationOptions,
  ValueAnswer,
  ValueWrite,
} from '#crd';
export { compileExpression, declareType, environmentFor, wrapValue } from '#cel';
export type { CompiledExpression, CompileOptions, EngineChoice, Linker, Program } from '#cel';
export { defaultGates, featureGates, fieldErrorText, LATEST_MINOR, MINORS } from '#kube';
export type { FeatureGates, FieldError, Minor, Server, Status } from '#kube';
export { CancellationFlag, readJson, readYaml, writeJson } from '#go';
export type { CancellationToken, JsonObject, JsonValue } from '#go';
