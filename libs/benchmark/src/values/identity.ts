import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { ServedVersion } from '#crd';
import type { ValuePlan } from './choice.ts';

/** The field of an object's name, as plans name it. */
export const NAME_FIELD = '.metadata.name';

/** Gives an object apiVersion, kind and metadata. The name is the plan's, or `x`. */
export function addIdentity(object: JsonObject, { apiVersion, kind, namespaced }: ServedVersion, plan: ValuePlan): void {
  const filling = plan.at(NAME_FIELD)?.filling;
  const name = filling?.kind === 'literal' ? String(filling.value) : 'x';
  object['apiVersion'] = apiVersion;
  object['kind'] = kind;
  object['metadata'] = Object.assign(newJsonObject(), { name, ...(namespaced && { namespace: 'default' }) });
}
