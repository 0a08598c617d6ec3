import type { JsonValue } from '#go';
import type { FieldChoice, Filling } from '../values/choice.ts';
import type { NamedField } from './named-fields.ts';
import type { RuleWords } from './rule-words.ts';

/**
 * Maximum number of schema branches that are tried for a field. `MAX_VALUES` is the maximum number of values, and `MAX_KEYS` the maximum
 * number of keys.
 */
const MAX_BRANCHES = 8;
const MAX_VALUES = 8;
const MAX_KEYS = 12;
/** A text that is valid for many fields, including the name of an object. */
const COMMON_TEXT = 'x';

/**
 * Returns the alternatives that the search tries for a field in generated objects. Examples are absence, a size, and a value that occurs in
 * the rule (`words`). The search tries each alternative separately.
 */
export function optionsOf(field: NamedField, words: RuleWords): readonly FieldChoice[] {
  const options: FieldChoice[] = [];
  for (let branch = 0; field.branches > 1 && branch < Math.min(MAX_BRANCHES, field.branches); branch++) options.push({ branch });
  if (field.isOptional) options.push({ present: false });
  const fillings = fillingsOf(field, words);
  options.push(...fillings.flatMap((filling) => choicesOf(filling, field)));
  if (field.kind === 'array' || field.kind === 'map') {
    const named = Math.min(MAX_KEYS, Math.max(words.texts.length, field.schema.items?.schema?.enum?.length ?? 0));
    for (const size of new Set([0, 1, 2, 3, 4, named])) options.push({ present: true, size });
    if (field.kind === 'map') options.push(...keyOptions(words));
  }
  if (options.length === 1 && field.isOptional) options.push({ present: true });
  return options;
}

/**
 * Returns the choices for a filling, which are the ways to write a field with these contents. Texts that occur in the rule are written
 * unchanged. A literal is also written with additional characters up to the field's size.
 */
function choicesOf(filling: Filling, { kind }: NamedField): readonly FieldChoice[] {
  const isText = kind === 'string' || kind === 'intOrString';
  if (!isText || !EXACT.has(filling.kind)) return [{ present: true, filling }];
  const exact = { present: true, filling, size: 0 };
  return filling.kind === 'literal' ? [exact, { present: true, filling }] : [exact];
}

const EXACT: ReadonlySet<string> = new Set(['literal', 'lastDiffers', 'cycle']);

/** Returns choices for a map whose keys occur in the rule: one choice for each key alone, and one for all keys together. */
function keyOptions({ texts, names }: RuleWords): readonly FieldChoice[] {
  const keys = [...new Set([...texts, ...names])].filter((key) => key !== '' && key !== 'self').slice(0, MAX_KEYS);
  const all = keys.length > 1 ? [{ present: true, size: keys.length, keys }] : [];
  return [...keys.map((key) => ({ present: true, size: 1, keys: [key] })), ...all];
}

function fillingsOf({ kind, schema, isRepeated }: NamedField, words: RuleWords): readonly Filling[] {
  switch (kind) {
    case 'boolean':
      return [true, false].flatMap((value): Filling[] => [
        { kind: 'literal', value },
        ...(isRepeated ? [{ kind: 'lastDiffers' as const, value, last: !value }] : []),
      ]);
    case 'string':
      return schema.enum ? ofEnum(schema.enum, isRepeated, words) : textFillings(isRepeated, words);
    case 'integer':
    case 'number':
      return numberFillings(isRepeated, words);
    case 'intOrString':
      return [...numberFillings(isRepeated, words), ...textFillings(isRepeated, words), { kind: 'literal', value: '50%' }];
    case 'any':
    case 'array':
    case 'map':
    case 'object':
      return [];
  }
}

function ofEnum(values: readonly JsonValue[], isRepeated: boolean, { texts }: RuleWords): readonly Filling[] {
  const named = values.filter((value): value is string => typeof value === 'string' && texts.includes(value));
  const all = [...new Set([...named, ...values.filter((value): value is string => typeof value === 'string')])].slice(0, MAX_VALUES);
  return [...all.map((value): Filling => ({ kind: 'literal', value })), ...(isRepeated ? [...varied(), ...lastOf(all)] : [])];
}

const varied = (): readonly Filling[] => [{ kind: 'rising' }, { kind: 'falling' }];

const lastOf = ([first, second]: readonly (string | number)[]): readonly Filling[] =>
  first === undefined || second === undefined
    ? []
    : [
        { kind: 'lastDiffers', value: first, last: second },
        { kind: 'lastDiffers', value: second, last: first },
      ];

function textFillings(isRepeated: boolean, { texts, patterns }: RuleWords): readonly Filling[] {
  return [
    { kind: 'least' },
    { kind: 'literal', value: COMMON_TEXT },
    ...patterns.flatMap((pattern): Filling[] => [
      { kind: 'pattern', pattern },
      ...(isRepeated ? [{ kind: 'pattern' as const, pattern, varies: true as const }] : []),
    ]),
    ...texts.flatMap((value): Filling[] => [
      { kind: 'literal', value },
      ...(value === '' ? [] : [{ kind: 'periodic' as const, period: value }]),
    ]),
    ...(isRepeated ? [...varied(), ...lastOf([...texts, 'a', 'b']), ...lastOnly(texts)] : []),
    ...(isRepeated && texts.length > 1 ? [{ kind: 'cycle' as const, values: texts }] : []),
  ];
}

/** Returns fillings for lists in which only the last element has a text that occurs in the rule. */
const lastOnly = (texts: readonly string[]): readonly Filling[] =>
  texts.slice(0, MAX_VALUES).map((last) => ({ kind: 'lastDiffers', value: 'a', last }));

function numberFillings(isRepeated: boolean, { numbers }: RuleWords): readonly Filling[] {
  const near = numbers.flatMap((value) => [value, value + 1, value - 1]);
  return [
    { kind: 'least' },
    { kind: 'greatest' },
    ...[...new Set(near)].map((value): Filling => ({ kind: 'literal', value })),
    ...(isRepeated ? [...varied(), ...lastOf([...near, 1, 2])] : []),
  ];
}
