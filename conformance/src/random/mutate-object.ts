import type { Dice } from './dice.ts';
import { edgeKey, edgeNumber, edgeString, edgeValue } from './edge-values.ts';
import { metadataField } from './random-value.ts';
import { cloneTree, Members, placesOf, Spelled } from './tree.ts';
import type { TreePosition, Tree } from './tree.ts';

type Mutation = (dice: Dice, object: Members) => void;

const body = (object: Members): TreePosition[] => placesOf(object).filter(({ path }) => path[0] !== 'metadata');
const onPlace =
  (wanted: (place: TreePosition) => boolean, change: (dice: Dice, place: TreePosition) => void): Mutation =>
  (dice, object) => {
    const place = dice.any(body(object).filter(wanted));
    if (place) change(dice, place);
  };
const anywhere = (): boolean => true;
const isList = ({ value }: TreePosition): boolean => Array.isArray(value);
const isObject = ({ value }: TreePosition): boolean => value instanceof Members;
const inList = ({ container }: TreePosition): boolean => Array.isArray(container);

/** Random changes to an object, by the name of the change. The names become part of the ids of the generated cases. */
const OBJECT_MUTATIONS: Readonly<Record<string, Mutation>> = {
  any: onPlace(anywhere, (dice, { replace }) => replace(edgeValue(dice))),
  null: onPlace(anywhere, (_, { replace }) => replace(null)),
  number: onPlace(
    ({ value }) => value instanceof Spelled || typeof value === 'number',
    (dice, { replace }) => replace(edgeNumber(dice)),
  ),
  string: onPlace(
    ({ value }) => typeof value === 'string',
    (dice, { replace }) => replace(edgeString(dice)),
  ),
  toNumber: onPlace(anywhere, (dice, { replace }) => replace(edgeNumber(dice))),
  toString: onPlace(anywhere, (dice, { replace }) => replace(edgeString(dice))),
  remove: onPlace(anywhere, (_, { remove }) => remove()),
  unknown: onPlace(isObject, (dice, { value }) => void (value as Members).set(edgeKey(dice), edgeValue(dice))),
  duplicateKey: onPlace(isObject, (dice, { value }) => {
    const { entries } = value as Members;
    const entry = dice.any(entries);
    if (entry) entries.splice(dice.below(entries.length + 1), 0, [entry[0], dice.chance(0.5) ? cloneTree(entry[1]) : edgeValue(dice)]);
  }),
  otherCase: onPlace(isObject, (dice, { value }) => {
    const entry = dice.any((value as Members).entries);
    if (entry) entry[0] = dice.chance(0.5) ? entry[0].toUpperCase() : entry[0] + dice.pick(['s', ' ', '\u0000']);
  }),
  duplicateItem: onPlace(
    inList,
    (dice, { container, value }) => void (container as Tree[]).splice(dice.below((container as Tree[]).length + 1), 0, cloneTree(value)),
  ),
  moveItem: onPlace(isList, (dice, { value }) => {
    const list = value as Tree[];
    const [item] = list.splice(dice.below(list.length), 1);
    if (item !== undefined) list.splice(dice.below(list.length + 1), 0, item);
  }),
  reverse: onPlace(isList, (_, { value }) => void (value as Tree[]).reverse()),
  grow: onPlace(isList, (dice, { value, replace }) =>
    replace(Array.from({ length: dice.pick([20, 70, 300]) }, () => cloneTree(dice.any(value as Tree[]) ?? 1))),
  ),
  empty: onPlace(anywhere, (dice, { replace }) => replace(dice.pick<Tree>([new Members(), [], '', new Members([['', null]])]))),
  swap: (dice, object) => {
    const places = body(object);
    const [one, other] = [dice.any(places), dice.any(places)];
    if (one && other) one.replace(cloneTree(other.value));
  },
  metadata: (dice, object) => void object.object('metadata').set(...metadataField(dice)),
  unknownMetadata: (dice, object) =>
    void object.object('metadata').set(dice.pick(['Labels', 'clusterName', 'extra', edgeKey(dice)]), edgeValue(dice)),
  brokenMetadata: (dice, object) => void object.set('metadata', dice.chance(0.5) ? edgeValue(dice) : new Members()),
  hugeNumber: onPlace(anywhere, (dice, { replace }) => replace(new Spelled(dice.pick(['1e309', '-1e400', '1e99999', '1e400'])))),
  typeMeta: (dice, object) => void object.set(dice.pick(['apiVersion', 'kind']), dice.chance(0.5) ? edgeString(dice) : edgeValue(dice)),
  noTypeMeta: (dice, object) => object.delete(dice.pick(['apiVersion', 'kind', 'metadata'])),
  root: (dice, object) => void object.set(edgeKey(dice), edgeValue(dice)),
};

/** Changes an object in place by one or a few random changes. Returns the names of the changes. */
export function mutateObject(dice: Dice, object: Members): string[] {
  const names: string[] = [];
  do {
    const name = dice.pick(Object.keys(OBJECT_MUTATIONS));
    OBJECT_MUTATIONS[name]!(dice, object);
    names.push(name);
  } while (names.length < 4 && dice.chance(0.4));
  return names;
}

/**
 * Returns true if a tree cannot be represented except as text. That is the case if an object has a duplicate key, or if a number exceeds
 * float64.
 */
export function isOnlyText(tree: Tree): boolean {
  if (Array.isArray(tree)) return tree.some(isOnlyText);
  if (tree instanceof Spelled) return !Number.isFinite(Number(tree.text));
  if (!(tree instanceof Members)) return false;
  return new Set(tree.entries.map(([key]) => key)).size < tree.entries.length || tree.entries.some(([, value]) => isOnlyText(value));
}
