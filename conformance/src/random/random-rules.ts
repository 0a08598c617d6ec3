import type { Dice } from './dice.ts';
import { Members, membersOf } from './tree.ts';
import type { Tree } from './tree.ts';

/**
 * Rules that compile for a value of any type. `BY_TYPE` contains rules for values of one type. Each rule in `BY_TYPE` is true for some
 * values of its type, and false or an error for the others.
 */
const ANYWHERE = [
  'true',
  'false',
  'self == self',
  'self == oldSelf',
  'self != oldSelf',
  "type(self) != type('')",
  'dyn(self) == 1',
  'size(self) > 1',
];
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: [
    "self != ''",
    'size(self) < 5',
    "self.startsWith('a')",
    "self.matches('^[a-z]+$')",
    'self <= oldSelf',
    "self in ['a', 'b']",
    'int(self) > 1',
    "self.contains('\\u00e9')",
    'isURL(self)',
    'quantity(self).isInteger()',
    'duration(self) > duration("1s")',
    'timestamp(self) < timestamp("2024-01-01T00:00:00Z")',
    "self.split('.').all(p, p.size() < 3)",
    'ip(self).family() == 4',
    'self.lowerAscii() == self',
  ],
  integer: [
    'self > 1',
    'self >= oldSelf',
    'self % 2 == 0',
    '10 / self > 1',
    'self + 9223372036854775807 > 0',
    'string(self) != ""',
    'self in [1, 2, 3]',
    'self < 1.5',
    'double(self) > 0.5',
  ],
  number: ['self > 1.0', 'self >= oldSelf', 'self < 100.0', 'int(self) > 1', 'math.isNaN(self)', 'self > 1'],
  boolean: ['self', '!self', 'self || oldSelf', 'self == true'],
  array: [
    'self.size() < 3',
    'self.all(x, x != null)',
    'self.exists(x, x == self[0])',
    'self == oldSelf',
    'self.isSorted()',
    'self[0] != self[1]',
    'oldSelf.all(x, x in self)',
    'self.map(x, x).size() > 0',
    'self.filter(x, has(x.a)).size() == 0',
    'self.all(x, self.exists_one(y, x == y))',
  ],
  object: [
    'has(self.a)',
    '!has(self.a) || has(self.b)',
    'self.a == self.b',
    'has(oldSelf.a) == has(self.a)',
    'self.all(k, k != "x")',
    "'a' in self",
    'self.a > 1',
    "self.a == 'a'",
    'size(self) > 1',
    'self.?a.orValue(1) == 1',
    'self.b.all(x, x != 1)',
    'has(self.metadata.name)',
    "self.metadata.name.startsWith('a')",
    'self.spec == oldSelf.spec',
    'has(self.spec) && has(self.status)',
    'self.a.b.c == 1',
    'self.__proto__ == 1',
    'self.kind == "x"',
  ],
};
const BROKEN = [
  'self +',
  '',
  ' ',
  'self.nothing',
  '1',
  'self ==\n1',
  'undefined(self)',
  "self == 'a' && 1",
  'oldSelf.a.b.c',
  'self.all(x, ',
  'size(1)',
  "self.matches('(')",
  '"\\q"',
  'self in self',
  'has(self)',
];
const MESSAGES = ['must be so', ' padded ', '', ' ', 'two\nlines', 'é <&> "q"', 'x'.repeat(300), '\n'];
const MESSAGE_EXPRESSIONS = [
  "'plain'",
  "'value: ' + string(self)",
  'string(self)',
  '1',
  '',
  ' ',
  "'a\\nb'",
  "''",
  "' '",
  'self.a',
  'string(oldSelf)',
  "'x'.repeat",
  "self.size() > 1 ? 'many' : 'few'",
  "'%s'.format([self])",
  'string(1/0)',
  'self',
  "oldSelf.hasValue() ? 'old' : 'new'",
];
const REASONS = [
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
  'FieldValueTooLong',
  'fieldValueInvalid',
  '',
];
const FIELD_PATHS = [
  '.a',
  '.b',
  '.a.b',
  "['a']",
  "['x-y']",
  '.',
  '',
  ' ',
  'a',
  '.a[0]',
  '.missing',
  '.spec',
  '.spec.a',
  "['a'].b",
  ".a['b']",
  '.metadata.name',
  '.\n',
  '["a"]',
  "['\\'']",
  '.a.',
  '..a',
  "['a",
  '.x-y',
  '.items',
  "['a']['b']",
  '.é',
];

/** Returns a random entry of `x-kubernetes-validations` for values of a schema. */
export function randomRule(dice: Dice, schema: Members): Members {
  const type = schema.get('type');
  const fitting = typeof type === 'string' ? (BY_TYPE[type] ?? ANYWHERE) : ANYWHERE;
  const properties = schema.get('properties');
  const names = properties instanceof Members ? properties.entries.map(([name]) => name).filter((name) => /^[a-z]\w*$/.test(name)) : [];
  let rule = dice.chance(0.1) ? dice.pick(BROKEN) : dice.chance(0.2) ? dice.pick(ANYWHERE) : dice.pick(fitting);
  const name = dice.any(names);
  if (name !== undefined && dice.chance(0.8))
    rule = rule.replaceAll(/\bself\.a\b/g, `self.${name}`).replaceAll(/oldSelf\.a\b/g, `oldSelf.${name}`);
  const entry = membersOf({ rule });
  const field = (key: string, probability: number, value: () => Tree): void => void (dice.chance(probability) && entry.set(key, value()));
  field('message', 0.35, () => dice.pick(MESSAGES));
  field('messageExpression', 0.25, () => dice.pick(MESSAGE_EXPRESSIONS));
  field('reason', 0.15, () => dice.pick(REASONS));
  field('fieldPath', 0.2, () => (name !== undefined && dice.chance(0.5) ? `.${name}` : dice.pick(FIELD_PATHS)));
  field('optionalOldSelf', 0.15, () => dice.chance(0.7));
  if (entry.get('optionalOldSelf') === true && dice.chance(0.7)) {
    entry.set(
      'rule',
      dice.pick([
        '!oldSelf.hasValue() || oldSelf.value() == self',
        'oldSelf.orValue(self) == self',
        'oldSelf == optional.none()',
        'oldSelf.hasValue()',
      ]),
    );
  }
  return entry;
}
