import type { Dice } from './dice.ts';
import { damaged, edgeValue } from './edge-values.ts';
import { mutateDefinition } from './mutate-definition.ts';
import { isOnlyText, mutateObject } from './mutate-object.ts';
import { randomDefinition, schemaOf, versionsOf } from './random-definition.ts';
import { randomSchema } from './random-schema.ts';
import { fittingValue, randomMetadata } from './random-value.ts';
import { yamlText } from './random-yaml.ts';
import { cloneTree, Members, membersOf, Spelled, writeTree } from './tree.ts';
import type { Tree } from './tree.ts';

/** Kinds of cases that test a write, or a part of a write. */
export const WRITE_KINDS = ['object', 'objectUpdate', 'statusUpdate', 'value', 'crd', 'crdUpdate'] as const;

/** Kind of case, one of {@link WRITE_KINDS}. */
export type WriteKind = (typeof WRITE_KINDS)[number];

const VALIDATIONS = [undefined, undefined, 'Strict', 'Warn', 'Ignore'];
/**
 * Number of cases that share a synthetic definition. Cases share definitions, because compiling a definition takes longer than validating
 * an object.
 */
const SHARING = 12;

/** Generator of cases in the oracle's protocol. A case is either entirely random or derived from a recorded case. */
export class WriteCases {
  readonly #dice: Dice;
  #definition: Members | undefined;
  #shared = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** Returns a case of the given kind whose schema or definition is random, and not taken from a recorded case. */
  synthetic(kind: WriteKind): Members {
    switch (kind) {
      case 'value':
        return this.#value(randomSchema(this.#dice, 3, { wild: this.#dice.chance(0.1), rules: true }), undefined);
      case 'crd':
      case 'crdUpdate':
        return this.#definitionCase(kind, this.#randomDefinition());
      case 'object':
      case 'objectUpdate':
      case 'statusUpdate':
        return this.#objectOf(kind);
    }
  }

  /**
   * Returns a case that is derived from a recorded case of the same family; undefined if `recorded` lacks the necessary parts. `document`
   * returns the definition to which the recorded case refers.
   */
  mutated(kind: WriteKind, recorded: Members, document: () => Members | undefined): Members | undefined {
    const dice = this.#dice;
    if (kind === 'value') {
      const schema = recorded.get('schema');
      if (!(schema instanceof Members)) return undefined;
      const self = recorded.get('self') ?? null;
      return this.#value(cloneTree(schema), dice.chance(0.5) ? self : undefined);
    }
    if (kind === 'crd' || kind === 'crdUpdate') {
      const definition = recorded.get('crd') ?? document();
      return definition instanceof Members ? this.#definitionCase(kind, cloneTree(definition)) : undefined;
    }
    const body = dice.pick([recorded.get('object'), recorded.get('oldObject')]) ?? recorded.get('object');
    if (!(body instanceof Members)) return undefined;
    const before = recorded.get('oldObject');
    const made = membersOf({ id: '', kind });
    for (const key of ['crd', 'crdFile', 'crdPatches', 'version']) {
      const value = recorded.get(key);
      if (value !== undefined) made.set(key, value);
    }
    return this.#write(made, kind, cloneTree(body), cloneTree(dice.chance(0.5) && before instanceof Members ? before : body));
  }

  #randomDefinition(): Members {
    return randomDefinition(this.#dice, { wild: this.#dice.chance(0.15), rules: this.#dice.chance(0.7) });
  }

  #value(schema: Members, self: Tree | undefined): Members {
    const dice = this.#dice;
    const made = membersOf({ id: 'value', kind: 'value', schema, self: self === undefined ? fittingValue(dice, schema) : cloneTree(self) });
    const changed = made.get('self');
    if (changed instanceof Members && dice.chance(0.3)) {
      const copy = cloneTree(changed);
      mutateObject(dice, copy);
      if (!isOnlyText(copy)) made.set('self', copy);
    }
    if (dice.chance(0.3)) made.set('oldSelf', dice.chance(0.5) ? cloneTree(made.get('self')!) : fittingValue(dice, schema));
    if (dice.chance(0.05)) made.set('self', edgeValue(dice));
    if (dice.chance(0.1)) made.set('root', true);
    return made;
  }

  #definitionCase(kind: 'crd' | 'crdUpdate', definition: Members): Members {
    const dice = this.#dice;
    const names: string[] = [];
    const made = membersOf({ id: '', kind });
    if (kind === 'crdUpdate') {
      const old = cloneTree(definition);
      if (dice.chance(0.6)) names.push(...mutateDefinition(dice, old).map((name) => `old:${name}`));
      // Errors in the old definition usually stay, because this tests ratcheting.
      if (dice.chance(0.7)) definition = cloneTree(old);
      made.set('oldCrd', readable(old));
    }
    if (dice.chance(kind === 'crd' ? 0.95 : 0.85)) names.push(...mutateDefinition(dice, definition));
    if (dice.chance(0.15)) made.set('fieldValidation', dice.pick(['Strict', 'Ignore', 'Warn']));
    if (isOnlyText(definition) || dice.chance(0.06)) this.#asText(made, definition);
    else made.set('crd', definition);
    return made.set('id', names.join('+') || 'none');
  }

  #objectOf(kind: WriteKind): Members {
    const dice = this.#dice;
    if (this.#definition === undefined || this.#shared++ >= SHARING) {
      this.#shared = 0;
      this.#definition = this.#randomDefinition();
      if (dice.chance(0.2)) mutateDefinition(dice, this.#definition);
    }
    const definition = this.#definition;
    const version = dice.any(versionsOf(definition)) ?? membersOf({ name: 'v1' });
    const made = membersOf({ id: '', kind, crd: definition, version: version.get('name') });
    const schema = schemaOf(version);
    const body = this.#instance(definition, version, schema);
    return this.#write(made, kind, body, dice.chance(0.6) ? cloneTree(body) : this.#instance(definition, version, schema));
  }

  #instance(definition: Members, version: Members, schema: Members | undefined): Members {
    const spec = definition.object('spec');
    const made = membersOf({
      apiVersion: `${String(spec.get('group'))}/${String(version.get('name'))}`,
      kind: spec.object('names').get('kind'),
      metadata: randomMetadata(this.#dice),
    });
    const fitting = fittingValue(this.#dice, schema);
    if (fitting instanceof Members)
      for (const [key, value] of fitting.entries) if (made.get(key) === undefined) made.entries.push([key, value]);
    return made;
  }

  #write(made: Members, kind: WriteKind, object: Members, old: Members): Members {
    const dice = this.#dice;
    const names: string[] = [];
    if (kind !== 'object') {
      if (dice.chance(0.5)) names.push(...mutateObject(dice, old).map((name) => `old:${name}`));
      // Half of the new objects keep the errors of the old object, which tests ratcheting.
      if (dice.chance(0.5)) object = cloneTree(old);
      made.set('oldObject', storable(old));
    }
    if (dice.chance(0.85)) names.push(...mutateObject(dice, object));
    const validation = dice.pick(VALIDATIONS);
    if (validation !== undefined) made.set('fieldValidation', validation);
    if (isOnlyText(object) || dice.chance(0.08)) this.#asText(made, object);
    else made.set('object', object);
    return made.set('id', names.join('+') || 'none');
  }

  /** Adds the body to a case as text: JSON, damaged JSON or YAML. */
  #asText(made: Members, body: Members): void {
    const dice = this.#dice;
    const json = writeTree(body);
    const how = dice.below(10);
    made.set('raw', how < 5 ? yamlText(dice, body) : how < 6 ? damaged(dice, json) : json);
    if (how < 5) made.set('contentType', 'application/yaml');
    else if (dice.chance(0.2)) made.set('contentType', dice.pick(['application/yaml', 'application/json']));
  }
}

/**
 * Returns a tree that can be the stored object: keys are unique, numbers are readable, and `apiVersion` and `kind` are removed. If the name
 * or the namespace is empty, the metadata are removed.
 */
function storable(tree: Members): Members {
  const stored = readable(tree) as Members;
  for (const key of ['apiVersion', 'kind']) stored.delete(key);
  const metadata = stored.get('metadata');
  if (!(metadata instanceof Members) || metadata.get('name') === '' || metadata.get('namespace') === '') stored.delete('metadata');
  return stored;
}

/** Returns a copy of a tree in which every key occurs once and every number fits into a float64. */
function readable(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(readable);
  if (value instanceof Spelled) return Number.isFinite(Number(value.text)) ? value : new Spelled('1e300');
  if (!(value instanceof Members)) return value;
  return new Members([...new Map(value.entries)].map(([key, below]) => [key, readable(below)]));
}
