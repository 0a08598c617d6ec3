import { fixedText } from '#numbers';
import { compiled, judgeAccepted, largeBody, largeDefinition } from '../workloads/judging.ts';
import type { BenchTable } from './bench-table.ts';
import { fastestMicros } from './fastest.ts';

const ELEMENTS = 100_000;
/**
 * Prime above the number of elements. The element numbers, multiplied by another prime and reduced modulo this prime, give distinct values
 * in a scrambled order.
 */
const MODULUS = 100_003;
const KEY = (i: number): number => (i * 7919) % MODULUS;

/** Case of the bench: a keyword that is added to a list, or a rule that is added to the list's items. */
interface AddedCase {
  readonly name: string;
  readonly items: object;
  /** Keywords that are added to the list; undefined if the case adds a `rule` to the items. */
  readonly list?: object;
  readonly rule?: string;
  readonly element: (i: number) => unknown;
  /** Longest time in ns that the keyword or the rule may add for each element. */
  readonly wantedNs: number;
}

const SET = { 'x-kubernetes-list-type': 'set' };
const MAP = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const INTEGER = { type: 'integer' };
const TEXT = { type: 'string', maxLength: 30 };
const NAMED = { type: 'object', required: ['name'], properties: { name: TEXT } };
const SHORT = { type: 'string', maxLength: 10 };

const CASES: readonly AddedCase[] = [
  { name: 'set of integers', items: INTEGER, list: SET, element: KEY, wantedNs: 25 },
  { name: 'set of integers, far apart', items: INTEGER, list: SET, element: (i) => KEY(i) * 104_729, wantedNs: 25 },
  { name: 'set of strings', items: TEXT, list: SET, element: (i) => `name-${KEY(i)}`, wantedNs: 25 },
  { name: 'map, one key', items: NAMED, list: MAP, element: (i) => ({ name: `name-${KEY(i)}` }), wantedNs: 50 },
  { name: 'rule of integers, a comparison', items: INTEGER, rule: 'self >= 0', element: (i) => i, wantedNs: 2 },
  { name: 'rule of strings, how it begins', items: SHORT, rule: "self.startsWith('a')", element: (i) => `a${i}`, wantedNs: 2 },
  { name: 'rule of strings, its size', items: SHORT, rule: 'self.size() < 10', element: (i) => `a${i}`, wantedNs: 2 },
];

/**
 * Measures the time in ns that a list type, or a rule of the items, adds for each element. Validates the same objects with and without the
 * list type or rule.
 */
export function benchAddedTime(quick: boolean): BenchTable {
  const measured = CASES.map((one) => ({ one, times: addedTime(one, quick ? 600 : 3000) }));
  return {
    columns: ['list type, or rule at items', 'whole ns per element'],
    rows: measured.map(({ one, times }) => [one.name, fixedText(times.wholeNs, 1)]),
    wanted: measured.map(({ one, times }) => ({
      name: `${one.name}: ns that it adds per element`,
      value: times.addedNs,
      most: one.wantedNs,
    })),
    isForInformation: true,
    notes: [`${ELEMENTS} elements, those of list types distinct and in no order; fastest rounds, with and without in turns.`],
  };
}

/**
 * Measures the time in ns for each element with the keyword or rule (`wholeNs`), and the part that the keyword or rule adds (`addedNs`).
 */
function addedTime({ items, list = {}, rule, element }: AddedCase, ms: number) {
  const definition = (type: object, rules: object) =>
    compiled(largeDefinition({ list: { type: 'array', maxItems: ELEMENTS, items: { ...items, ...rules }, ...type } }));
  const [plain, more] = [definition({}, {}), definition(list, rule === undefined ? {} : { 'x-kubernetes-validations': [{ rule }] })];
  const body = largeBody({ list: Array.from({ length: ELEMENTS }, (_, i) => element(i)) });
  const micros = fastestMicros({ without: () => judgeAccepted(plain, body), with: () => judgeAccepted(more, body) }, ms);
  const [without, whole] = [micros('without'), micros('with')].map((figure) => figure && (1000 * figure) / ELEMENTS);
  return { addedNs: whole === undefined || without === undefined ? undefined : whole - without, wholeNs: whole };
}
