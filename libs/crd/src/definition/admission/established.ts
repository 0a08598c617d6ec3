import { ESTABLISHED } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import type { DefinitionCondition } from '../../verdict.ts';
import { hasInvalidCaBundle } from './ca-bundle.ts';

/**
 * Returns the condition `Established` that a definition has after all controllers have processed it, provided that its names are accepted.
 * Source: apiextensions-apiserver pkg/controller/establish/establishing_controller.go (1.37).
 */
export function establishedCondition(definition: Definition): DefinitionCondition {
  return hasInvalidCaBundle(definition)
    ? { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' }
    : { ...ESTABLISHED };
}
