export type {
  DefinitionCondition,
  DefinitionVerdict,
  EvaluatedRule,
  FieldValidation,
  ObjectCost,
  ObjectVerdict,
  ObjectWrite,
  Phases,
  RuleCost,
  ValidationOptions,
} from './verdict.ts';
export { compileDefinition } from './compile-definition.ts';
export type { CompiledDefinition, DefinitionOutcome } from './compile-definition.ts';
export type { DefinitionOptions } from './judge-definition.ts';
export { judgeDefinition } from './judge-definition.ts';
export { validateObject } from './validate-object.ts';
export { compileStoredDefinition } from './compile-definition.ts';
export { validateValue } from './validate-value.ts';
export type { ValueAnswer, ValueQuestion } from './validate-value.ts';
