// The engine as others use it, in Node or in a page: definitions and objects become verdicts. Plain ECMAScript with a few of the web's names (TextEncoder, atob, Intl);
// what links generated code is handed in as `engine`, and without it rules are interpreted.
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
