import type { Definition } from '../schema/definition.ts';
import type { DefinitionCondition } from '../verdict.ts';
import { caBundleError } from './ca-bundle.ts';

/**
 * The condition `Established` of a definition that gets the names it asks for, once all controllers have seen it.
 * Source: apiextensions-apiserver pkg/controller/establish/establishing_controller.go (1.37).
 */
export function establishedCondition({ spec }: Definition): DefinitionCondition {
  const type = 'Established';
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle;
  if (bundle !== undefined && bundle !== '' && caBundleError(bundle) !== undefined)
    return { type, status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' };
  return { type, status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' };
}
