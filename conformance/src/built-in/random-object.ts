import type { BuiltInKind, GoType, OwnTypeName, StructType } from '#policy/built-in';
import { newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Dice } from '../random/dice.ts';

/**
 * Test values for Go types that have custom JSON decoders. In each list, canonical values come first. Valid and invalid values in any
 * spelling follow.
 */
const OWN_VALUES: Readonly<Record<OwnTypeName, readonly JsonValue[]>> = {
  Quantity: [
    '1',
    '1000m',
    '1.5Gi',
    '1024Mi',
    '1E3',
    '1.500',
    '12E',
    '-1',
    '1Ki',
    '1024',
    2,
    '3.3333',
    '1n',
    ' 1 ',
    '',
    'x',
    '0.0001n',
    '+01',
  ],
  IntOrString: [1, '80%', 'http', 0, '', 2147483648, 1.5],
  Time: ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.1+02:00', '0001-01-01T00:00:00Z', null, '2024-01-02'],
  MicroTime: ['2024-01-02T03:04:05.000001Z', '2024-01-02T03:04:05.123456+02:00', '2024-01-02T03:04:05Z'],
  Duration: ['1h', '1h30m', '1.5s', '-2ms', '5ns', '3us', '0', '1d', '25h1m1.001s'],
  RawExtension: [[1], 'x', null, 1.5],
  FieldsV1: [null],
};
/** Number of values at the beginning of each list in `OWN_VALUES` that are valid for the type. */
const GOOD = 3;
/** Test values that most types refuse. */
const WRONG: readonly JsonValue[] = [null, 1, 1.5, -3, true, 'x', '', [], ['a'], [null], 99999999999, 3000000000];
const TEXTS: readonly JsonValue[] = ['x', '', 'abc', 'tcp', '<a&b>', 'é'];
const BYTES: readonly JsonValue[] = ['aGVsbG8=', '', 'YQ==', 'YWI=\n', '!!!!', 'YQ', 'YR==', [104, 105], [300]];
const KEYS = ['a', 'b.c/d', 'k8s', 'é'];
const UNKNOWN = ['zzz', 'Spec', 'foo.bar', 'a"b'];
/** Maximum nesting depth of generated objects. */
const DEPTH = 12;

/** Generator of random objects of built-in kinds. Some of the objects are invalid. */
export class RandomObjects {
  readonly #dice: Dice;
  readonly #faults: number;

  /**
   * Creates a generator.
   *
   * @param faults probability that a value has the wrong type, or that an object has an unknown field
   */
  constructor(dice: Dice, faults: number) {
    this.#dice = dice;
    this.#faults = faults;
  }

  of(kind: BuiltInKind): JsonObject {
    const object = this.#struct(kind.type, 0);
    object['apiVersion'] = kind.apiVersion;
    object['kind'] = kind.kind;
    return object;
  }

  #struct(type: StructType, depth: number): JsonObject {
    const dice = this.#dice;
    const out = newJsonObject();
    const share = depth > DEPTH ? 0 : depth === 0 ? 0.8 : dice.pick([0.1, 0.3, 0.6]);
    const fields = dice.some([...type.fields.values()], share);
    for (const field of dice.chance(0.5) ? fields : fields.toReversed()) out[field.name] = this.#value(field.type, depth + 1);
    if (dice.chance(this.#faults)) out[dice.pick(UNKNOWN)] = dice.pick(WRONG);
    return out;
  }

  #value(type: GoType, depth: number): JsonValue {
    const dice = this.#dice;
    if (dice.chance(this.#faults)) return dice.pick(WRONG);
    const few = Array.from({ length: depth > DEPTH ? 0 : dice.below(3) });
    switch (type.kind) {
      case 'pointer':
        return this.#value(type.to, depth);
      case 'struct':
        return this.#struct(type, depth);
      case 'list':
        return few.map(() => this.#value(type.of, depth + 1));
      case 'map':
        return Object.assign(newJsonObject(), Object.fromEntries(few.map(() => [dice.pick(KEYS), this.#value(type.of, depth + 1)])));
      case 'own':
        return this.#own(type.name);
      case 'bytes':
        return this.#faults === 0 ? 'aGVsbG8=' : dice.pick(BYTES);
      case 'string':
        return dice.pick(TEXTS);
      case 'bool':
        return dice.chance(0.5);
      case 'int32':
      case 'int64':
      case 'uint8':
        return dice.pick([0, 1, 80, -1]);
    }
  }

  #own(name: OwnTypeName): JsonValue {
    const values = OWN_VALUES[name];
    if (name === 'RawExtension' && this.#dice.chance(0.5)) return Object.assign(newJsonObject(), { a: 1, b: [null, 1.5] });
    return this.#dice.pick(this.#dice.chance(this.#faults * 5) ? values : values.slice(0, GOOD));
  }
}
