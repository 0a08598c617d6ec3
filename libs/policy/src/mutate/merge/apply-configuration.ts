import { isJsonObject, sortedKeys, floatOf, isJsonInt } from '#go';
import type { JsonObject } from '#go';
import type { AtomRef, Atom, ListAtom, MapAtom, Scalar } from './atom.ts';
import type { KeyRules } from './merge-values.ts';
import { mergeValues, itemKey } from './merge-values.ts';
import { isJsonTree, isMergeObject, goSyntaxText, goText, goTypeName, isJson } from './merge-value.ts';
import type { MergeObject, MergeValue } from './merge-value.ts';
import { fittingAtom, isScalar } from './atom.ts';

/** Merge rules that differ between Kubernetes minor versions. */
export interface MergeRules extends KeyRules {
  /** `allowed` if associative lists of the stored object, into which the configuration is merged, may contain items with equal keys. */
  readonly liveDuplicates: ValidationRules['duplicates'];
}

/** Result of merging an apply configuration into an object: the merged object or an error. */
export type ApplyOutcome = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly error: string };

const refuse = (error: string): ApplyOutcome => ({ ok: false, error });

/**
 * Merges an apply configuration into an object, without tracking which client owns a field. Sets every field that the configuration
 * contains and removes no field. Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go `ApplyStructuredMergeDiff`
 * (1.37).
 */
export function applyConfiguration(type: AtomRef, live: JsonObject, configuration: MergeObject, rules: MergeRules): ApplyOutcome {
  const patchFaults = validateMergedValue(type, configuration, { required: rules.required, duplicates: 'refused' });
  if (patchFaults.length > 0 || !isJsonTree(configuration)) {
    return refuse(`failed to convert patch object to typed object: ${typeFaultsText(patchFaults)}`);
  }
  const atomics = findAtomics(type, configuration);
  if (atomics.length > 0) {
    return refuse(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  }
  const liveFaults = validateMergedValue(type, live, { required: rules.required, duplicates: rules.liveDuplicates });
  if (liveFaults.length > 0) return refuse(`failed to convert original object to typed object: ${typeFaultsText(liveFaults)}`);
  const merged = mergeValues(type, live, configuration, rules);
  return isJsonObject(merged) ? { ok: true, object: merged } : refuse('failed to convert typed object to object');
}

/**
 * Returns the paths of all atomic lists, maps and structs in a patch. A patch must not contain atomic values, because merging such a value
 * removes all members that the patch omits. Map values that are not declared fields are not searched. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go `findAtomics` (1.37).
 */
function findAtomics(type: AtomRef, value: MergeValue, path = ''): string[] {
  const { map, list } = type();
  if (isMergeObject(value) && map !== undefined) {
    const below = sortedKeys(value).flatMap((key) => {
      const field = map.fields.get(key);
      return field === undefined ? [] : findAtomics(field.type, value[key] ?? null, `${path}.${key}`);
    });
    return map.atomic ? [path, ...below] : below;
  }
  if (Array.isArray(value) && list !== undefined) {
    const below = value.flatMap((item, index) => findAtomics(list.items, item, `${path}[${index}]`));
    return list.atomic ? [path, ...below] : below;
  }
  return [];
}

/** Error in a value, with the path of the faulty part, for example `.spec.ports[0]`. */
interface TypeFault {
  readonly path: string;
  readonly message: string;
}

/** Rules for the keys of associative lists. If `duplicates` is `allowed`, several items may have the same key. */
interface ValidationRules extends KeyRules {
  readonly duplicates: 'allowed' | 'refused';
}

/** Returns the text of a value in an error message. Go prints a pointer to a struct that wraps the value (`&{…}`). */
const held = (value: MergeValue): string => `&{${goText(value)}}`;

const isNumeric = (value: MergeValue): boolean => isJson(value) && (isJsonInt(value) || floatOf(value) !== undefined);

function scalarFault(scalar: Scalar, value: MergeValue): string | undefined {
  if (value === null) return undefined;
  switch (scalar) {
    case 'numeric':
      return isNumeric(value) ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntaxText(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${held(value)}`;
    case 'untyped':
      return isScalar(value) ? undefined : `expected any scalar, got ${held(value)}`;
  }
}

/**
 * Walk over a value, which collects the value's errors against a type. As in Go, an unknown field ends the walk through its object, and an
 * item without a key ends the walk through its list. Fields are visited in the order of their names because Go's order is random. Source:
 * sigs.k8s.io/structured-merge-diff/v6/typed/validate.go (6.4.2).
 */
class Validation {
  readonly errors: TypeFault[] = [];
  readonly #rules: ValidationRules;

  constructor(rules: ValidationRules) {
    this.#rules = rules;
  }

  visit(type: AtomRef, value: MergeValue, path: string): void {
    const atom: Atom = fittingAtom(type(), value);
    if (atom.map !== undefined) this.#visitMap(atom.map, value, path);
    else if (atom.scalar !== undefined) this.#report(path, scalarFault(atom.scalar, value));
    else if (atom.list !== undefined) this.#visitList(atom.list, value, path);
    else this.#report(path, 'schema error: invalid atom: inlined');
  }

  #report(path: string, message: string | undefined): void {
    if (message !== undefined) this.errors.push({ path, message });
  }

  #visitMap(type: MapAtom, value: MergeValue, path: string): void {
    if (value === null) return;
    if (!isMergeObject(value)) {
      this.#report(path, `expected map, got ${held(value)}`);
      return;
    }
    for (const key of sortedKeys(value)) {
      const member = type.fields.get(key)?.type ?? type.others;
      const memberPath = `${path}.${key}`;
      if (member === undefined) {
        this.#report(memberPath, 'field not declared in schema');
        return;
      }
      this.visit(member, value[key] ?? null, memberPath);
    }
  }

  #visitList(type: ListAtom, value: MergeValue, path: string): void {
    if (value === null) return;
    if (!Array.isArray(value)) {
      this.#report(path, `expected list, got ${held(value)}`);
      return;
    }
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      let element = `[${index}]`;
      if (!type.atomic) {
        const key = itemKey(type, item, this.#rules);
        if (!key.ok) {
          this.#report(path, `element ${index}: ${key.error}`);
          return;
        }
        element = key.text;
        if (seen.has(key.identity) && this.#rules.duplicates === 'refused') this.#report(path, `duplicate entries for key ${element}`);
        seen.add(key.identity);
      }
      this.visit(type.items, item, path + element);
    }
  }
}

/** Validates a value against a type. Returns the errors in the order in which the walk finds them. */
function validateMergedValue(type: AtomRef, value: MergeValue, rules: ValidationRules): readonly TypeFault[] {
  const validation = new Validation(rules);
  validation.visit(type, value, '');
  return validation.errors;
}

/** Returns type errors as one text. A single error is one line, and several errors follow the heading `errors:`. */
function typeFaultsText(errors: readonly TypeFault[]): string {
  const lines = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return lines.length === 1 ? lines.join('') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}
