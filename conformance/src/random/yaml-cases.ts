import type { Dice } from './dice.ts';
import { damagedYaml, oddYaml } from './odd-yaml.ts';
import { yamlText } from './random-yaml.ts';
import { Members, membersOf } from './tree.ts';

/** Schema that keeps all fields of a body. The stored object therefore shows the fields that the server has read. */
const FREE = membersOf({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const DEFINITION = membersOf({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: membersOf({ name: 'things.example.com' }),
  spec: membersOf({
    group: 'example.com',
    scope: 'Namespaced',
    names: membersOf({ kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' }),
    versions: [membersOf({ name: 'v1', served: true, storage: true, schema: membersOf({ openAPIV3Schema: FREE }) })],
  }),
});
const HEAD = 'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\n';
const VALIDATIONS = [undefined, undefined, 'Strict', 'Ignore'];

/**
 * Generator of cases that write unusual or damaged YAML bodies: texts of random YAML pieces, and recorded documents with random changes.
 */
export class YamlCases {
  readonly #dice: Dice;
  readonly #recorded: readonly Members[];
  readonly #definitions: readonly string[];

  /**
   * Creates a generator.
   *
   * @param recorded cases of kind `object`; their objects are written as YAML and damaged
   * @param definitions texts of definitions to be damaged
   */
  constructor(dice: Dice, recorded: readonly Members[], definitions: readonly string[]) {
    this.#dice = dice;
    this.#recorded = recorded;
    this.#definitions = definitions;
  }

  next(): Members {
    const dice = this.#dice;
    const made = dice.chance(0.4) ? this.#damaged() : this.#odd();
    const validation = dice.pick(VALIDATIONS);
    if (validation !== undefined) made.set('fieldValidation', validation);
    return made.set('contentType', 'application/yaml');
  }

  #odd(): Members {
    const dice = this.#dice;
    const odd = oddYaml(dice);
    const raw = dice.pick([
      (): string => odd,
      (): string => HEAD + odd,
      (): string => `${HEAD}spec: ${odd}`,
      (): string => `${HEAD}spec:\n  a: ${odd}\n  b: ${oddYaml(dice)}\n`,
      (): string => `${HEAD}spec:\n- ${odd}\n- ${oddYaml(dice)}\n`,
      (): string => `${odd}\n${HEAD}`,
      (): string => `${HEAD}spec: [${odd}]\n`,
      (): string => `${HEAD}spec: {a: ${odd}}\n`,
      (): string => `${HEAD}spec: "${odd}"\nstatus: '${oddYaml(dice)}'\n`,
      (): string => `${HEAD}spec: |\n  ${odd}\n  ${oddYaml(dice)}`,
    ])();
    return membersOf({ id: 'odd', kind: 'object', crd: DEFINITION, raw });
  }

  #damaged(): Members {
    const dice = this.#dice;
    const definition = dice.chance(0.15) ? dice.any(this.#definitions) : undefined;
    if (definition !== undefined) return membersOf({ id: 'definition', kind: 'crd', raw: damagedYaml(dice, definition) });
    const recorded = dice.any(this.#recorded);
    const object = recorded?.get('object');
    if (recorded === undefined || !(object instanceof Members)) return this.#odd();
    const made = membersOf({ id: 'damaged', kind: 'object', raw: damagedYaml(dice, yamlText(dice, object)) });
    for (const key of ['crd', 'crdFile', 'crdPatches', 'version']) {
      const value = recorded.get(key);
      if (value !== undefined) made.set(key, value);
    }
    return made;
  }
}
