/**
 * Pairs of paths. The first path is the one under which Kubernetes reports a part that all versions share. The second path is the field of
 * a version that may contain this part.
 */
const SHARED_PARTS: readonly (readonly [called: string, written: string])[] = [
  ['spec.validation', 'schema'],
  ['spec.subresources', 'subresources'],
  ['spec.additionalPrinterColumns', 'additionalPrinterColumns'],
  ['spec.selectableFields', 'selectableFields'],
];

/**
 * Converts a field path that the server reports to the path at which the text of the definition contains this field. They differ because
 * the server may report a field of a version under a path that all versions share. For example, it reports `spec.validation` for
 * `spec.versions[0].schema`. Returns `field` unchanged if there is no other path.
 */
export function writtenField(field: string, source: { has(field: string): boolean }): string {
  const shared = SHARED_PARTS.find(([called]) => field.startsWith(called));
  if (shared === undefined || source.has(shared[0])) return field;
  const [called, written] = shared;
  for (let i = 0; source.has(`spec.versions[${i}]`); i++)
    if (source.has(`spec.versions[${i}].${written}`)) return `spec.versions[${i}].${written}${field.slice(called.length)}`;
  return field;
}

/**
 * Returns the path of the OpenAPI schema of the version named `version`. If no entry of `spec.versions` has this name and a schema, returns
 * `spec.validation.openAPIV3Schema`. Kubernetes uses this path in errors about a schema that is the same for all versions.
 */
export function schemaField(version: string, source: { has(field: string): boolean; textOf(field: string): string | undefined }): string {
  for (let i = 0; source.has(`spec.versions[${i}]`); i++) {
    const schema = `spec.versions[${i}].schema.openAPIV3Schema`;
    if (source.textOf(`spec.versions[${i}].name`) === version && source.has(schema)) return schema;
  }
  return 'spec.validation.openAPIV3Schema';
}

/** First step of a field path: a key of a map, and the number of characters of the path that the step occupies. */
export interface FieldStep {
  readonly key: string;
  readonly length: number;
}

/**
 * Returns the longest key of a map that matches the beginning of a field path; undefined if no key matches.
 *
 * Kubernetes writes field names as `.name` and map keys as `[key]`, and escapes neither. A path such as `labels.a.b` is therefore ambiguous
 * by itself, so the longest matching key is chosen.
 */
export function longestStep(path: string, keys: Iterable<string>): FieldStep | undefined {
  let longest: FieldStep | undefined;
  for (const key of keys) {
    const length = lengthOfStep(path, key);
    if (length > (longest?.length ?? 0)) longest = { key, length };
  }
  return longest;
}

/**
 * Returns the number of characters that `key` occupies at the beginning of `path`, including its dot or brackets. Returns 0 if the path
 * does not begin with this key.
 */
function lengthOfStep(path: string, key: string): number {
  if (path.startsWith(`[${key}]`)) return key.length + 2;
  const dot = path.startsWith('.') ? 1 : 0;
  const length = dot + key.length;
  const next = path[length];
  return key !== '' && path.startsWith(key, dot) && (next === undefined || next === '.' || next === '[') ? length : 0;
}
