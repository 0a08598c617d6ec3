import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/**
 * Returns a copy of a definition that contains only the version with the given name. The copy serves and stores this version. A schema and
 * subresources that a v1beta1 definition declares for all versions are kept. Returns undefined if the definition does not have the version.
 */
export function onlyVersion(definition: JsonObject, name: string): JsonObject | undefined {
  const spec = definition['spec'];
  if (!isJsonObject(spec)) return undefined;
  const version = versionsOf(spec).find((one) => one['name'] === name);
  if (version === undefined) return undefined;
  const only = Object.assign(newJsonObject(), version, { served: true, storage: true });
  const reduced = Object.assign(newJsonObject(), spec, { versions: [only] });
  delete reduced['version'];
  return Object.assign(newJsonObject(), definition, { spec: reduced });
}

/**
 * Returns true if an API version has the status subresource. In that case, the status of an object must be set by a second request, an
 * update of /status.
 */
export function hasStatusSubresource(definition: JsonObject, apiVersion: JsonValue | undefined): boolean {
  const spec = definition['spec'];
  if (!isJsonObject(spec)) return false;
  const version = versionsOf(spec).find(({ name }) => typeof apiVersion === 'string' && apiVersion.endsWith(`/${String(name)}`));
  return [version?.['subresources'], spec['subresources']].some(
    (subresources) => isJsonObject(subresources) && isJsonObject(subresources['status']),
  );
}

function versionsOf(spec: JsonObject): JsonObject[] {
  const versions = spec['versions'];
  return Array.isArray(versions) ? versions.filter(isJsonObject) : [];
}
