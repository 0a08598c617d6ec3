import { compileStoredDefinition } from '#crd';
import { isJsonObject, readJson } from '#go';
import { defaultGates, MINORS } from '#kube';
import { nodeEngine } from '#runner/linker';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { Dice } from '../random/dice.ts';
import type { ReadingSource } from './compare-readings.ts';

const GROUP = 'lists.example.com';
/**
 * Maximum number of elements in a random list. Lists are read in place only if the document is long. This maximum produces both documents
 * that are long enough and documents that are too short.
 */
const MAX_ELEMENTS = 160;
/** Maximum number of rules in a random definition. */
const MAX_RULES = 4;

/** Yields random objects that contain lists of scalars, each with a definition whose random rules test these lists. */
export function* listSources(seed: number, count: number): Generator<ReadingSource> {
  const dice = new Dice(seed);
  for (let n = 0; n < count; n++) {
    const minor = dice.pick(MINORS);
    const outcome = compileStoredDefinition(definition(dice), { minor, gates: defaultGates(minor), engine: nodeEngine('compiled') });
    if (!outcome.ok) throw new Error(outcome.status.message);
    yield { definition: outcome.definition, version: 'v1', body: JSON.stringify(object(dice)), old: undefined };
  }
}

function definition(dice: Dice): Parameters<typeof compileStoredDefinition>[0] {
  const rules = Array.from({ length: dice.below(MAX_RULES + 1) }, () => ({ rule: rule(dice) }));
  const itemRule = (test: string): object =>
    dice.chance(0.4) ? { 'x-kubernetes-validations': [{ rule: test.replaceAll(/\be\b(?!')/g, 'self') }] } : {};
  const bounds = dice.pick([{}, { minimum: -9 }, { maximum: 999, format: 'int32' }]);
  const ints = { type: 'array', items: { type: 'integer', ...bounds, ...itemRule(intTest(dice)) } };
  const texts = {
    type: 'array',
    ...dice.pick([{}, { maxItems: MAX_ELEMENTS - 9 }]),
    items: { type: 'string', maxLength: dice.pick([12, 40]), ...itemRule(textTest(dice)) },
  };
  const own = dice.chance(0.3) ? { 'x-kubernetes-validations': [{ rule: dice.pick(['self.size() >= 0', 'self.all(e, e == e)']) }] } : {};
  const spec = {
    type: 'object',
    properties: { ints, texts: { ...texts, ...own }, more: dice.pick([ints, texts]), at: { type: 'string', default: 'here' } },
    'x-kubernetes-validations': rules,
  };
  const schema = { type: 'object', properties: { spec } };
  const reading = readJson(JSON.stringify(customDefinition({ group: GROUP, kind: 'ListHolder', schema })));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('the definition is no object');
  return reading.value;
}

/** Returns the text of a random CEL rule that most random objects satisfy. */
function rule(dice: Dice): string {
  const isInt = dice.chance(0.5);
  const list = isInt ? 'self.ints' : 'self.texts';
  const test = isInt ? intTest(dice) : textTest(dice);
  const size = `size(${list})`;
  const form = dice.pick([
    `${list}.all(e, ${test})`,
    `${list}.exists(e, ${test}) || ${size} < 3`,
    `${list}.filter(e, ${test}).size() <= ${size}`,
    `${list}.map(e, e).size() == ${size}`,
    `${list}.map(e, ${test}, e)[0] != ${list}[0] || ${test.replaceAll(/\be\b/g, `${list}[${size} - 1]`)}`,
    `${list}.exists_one(e, ${test}) || ${size} >= 0`,
    `${list}[${dice.below(3)}] == ${list}[0] || ${list}.all(e, ${list}.exists(o, o == e))`,
    `${list} == ${list} || ${list}.all(e, ${test})`,
    isInt ? dice.pick(['self.ints.sum() >= self.ints.min()', 'self.ints.isSorted() || self.ints.max() > 3']) : `${size} > -1`,
  ]);
  return dice.chance(0.3) ? `!has(${list}) || ${form}` : form;
}

const intTest = (dice: Dice): string =>
  dice.pick([
    'e >= -9',
    'e > -10 && e < 100000000',
    'e % 7 != 6 || e > 5',
    'e in [1, 2, 3] || e != 77',
    'double(e) < 1e12',
    'string(e) != "x"',
  ]);

const textTest = (dice: Dice): string =>
  dice.pick([
    "e.startsWith('t')",
    "e.startsWith('te') || e.endsWith('9')",
    'e.size() < 30',
    'size(e) >= 0 && size(e) < 60',
    "e.matches('^t[a-z0-9-]*$')",
    "e.contains('t') || e == ''",
    "e < 'zz' && e != 'never'",
    "e.lowerAscii() == e || e in ['A']",
    "e.startsWith('a very long beginning') || e.substring(0, 1) == 't'",
  ]);

function object(dice: Dice): object {
  const length = (): number => (dice.chance(0.1) ? dice.below(3) : dice.below(MAX_ELEMENTS));
  const most = dice.pick([10, 1000, 999_999_999, 2 ** 40]);
  const ints = Array.from({ length: length() }, () => dice.below(most) - (dice.chance(0.1) ? 9 : 0));
  const tail = dice.pick(['', '', '', '-and-so-on-for-a-while', 'é']);
  const texts = Array.from({ length: length() }, () => `t${dice.below(1000)}${dice.chance(0.05) ? tail : ''}`);
  const metadata = { name: 'one', namespace: 'default' };
  return { apiVersion: `${GROUP}/v1`, kind: 'ListHolder', metadata, spec: { ints, texts } };
}
