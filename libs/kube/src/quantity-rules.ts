import type { QuantityRules } from '#go';
import type { Minor } from './minor.ts';
import { kubeHas } from './minors.ts';

/** Returns the rules by which servers of a Kubernetes minor version parse, sum and write quantities. */
export function quantityRules(minor: Minor): QuantityRules {
  return kubeHas(minor, 'quantitiesAreBounded') ? 'bounded' : 'exact';
}
