import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { ServedVersion } from '#crd';
import type { ValuePlan } from './choice.ts';

/** Path of an object's name, in the notation of the field paths in a `ValuePlan` (plan of a generated object). */
export const NAME_FIELD = '.metadata.name';

/**
 * Sets apiVersion, kind and metadata of a generated object. The name is the name in the value plan, or `x` if the plan contains none.
 * Namespaced objects get the namespace `default`.
 */
export function addIdentity(object: JsonObject, { apiVersion, kind, namespaced }: ServedVersion, plan: ValuePlan): void {
  const filling = plan.at(NAME_FIELD)?.filling;
  const name = filling?.kind === 'literal' ? String(filling.value) : 'x';
  object['apiVersion'] = apiVersion;
  object['kind'] = kind;
  object['metadata'] = Object.assign(newJsonObject(), { name, ...(namespaced && { namespace: 'default' }) });
}
