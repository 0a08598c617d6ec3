import type { DefinitionText } from './chunk.ts';
import type { EvaluationOptions, FieldValidation } from '../options/options-schema.ts';

/** Options of the request that creates or updates a definition. */
export interface DefinitionWrite {
  /** True if the definition is judged with its uid and resourceVersion. Otherwise both are removed if the server would refuse them. */
  readonly asSent: boolean;
  /** Treatment of unknown and duplicate fields. */
  readonly fieldValidation: FieldValidation;
}

/** Returns the options of the request that writes a definition. A definition's own `fieldValidation` takes precedence. */
export const definitionWrite = (
  { slice }: { readonly slice: Pick<DefinitionText['slice'], 'fieldValidation'> },
  { asSent, fieldValidation }: Pick<EvaluationOptions, 'asSent' | 'fieldValidation'>,
): DefinitionWrite => ({ asSent, fieldValidation: slice.fieldValidation ?? fieldValidation });
