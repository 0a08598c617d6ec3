import { fixedText } from '#charts';
import { addedTime } from './added-time.ts';
import type { BenchTable } from './bench-table.ts';
import { compiled, largeBody, largeDefinition } from '../workloads/judging.ts';

const ELEMENTS = 100_000;
/** A prime above the number of elements: multiples of another prime by it are distinct and in no order. */
const MODULUS = 100_003;
const KEY = (i: number): number => (i * 7919) % MODULUS;

interface ListCase {
  readonly name: string;
  readonly schema: object;
  /** Keywords that make it a list of its type. */
  readonly listType: object;
  readonly element: (i: number) => unknown;
  readonly wantedNs: number;
}

const SET = { 'x-kubernetes-list-type': 'set' };
const MAP = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const TEXT = { type: 'string', maxLength: 30 };
const CASES: readonly ListCase[] = [
  { name: 'set of integers', schema: { type: 'integer' }, listType: SET, element: KEY, wantedNs: 25 },
  { name: 'set of integers, far apart', schema: { type: 'integer' }, listType: SET, element: (i) => KEY(i) * 104_729, wantedNs: 25 },
  { name: 'set of strings', schema: TEXT, listType: SET, element: (i) => `name-${KEY(i)}`, wantedNs: 25 },
  {
    name: 'map, one key',
    schema: { type: 'object', required: ['name'], properties: { name: TEXT } },
    listType: MAP,
    element: (i) => ({ name: `name-${KEY(i)}` }),
    wantedNs: 50,
  },
];

/** ns per element that a list type adds to a list that is atomic otherwise: what is judged in one pass has no time of its own for it. */
export function benchListTypes(quick: boolean): BenchTable {
  const rows = CASES.map(({ name, schema, listType, element, wantedNs }) => {
    const list = { type: 'array', maxItems: ELEMENTS, items: schema };
    const [more, plain] = [compiled(largeDefinition({ list: { ...list, ...listType } })), compiled(largeDefinition({ list }))];
    const body = largeBody({ list: Array.from({ length: ELEMENTS }, (_, i) => element(i)) });
    const { addedNs: ns, wholeNs } = addedTime({ more, plain, body, elements: ELEMENTS, budgetMs: quick ? 600 : 3000 });
    const figures = [ns, wholeNs].map((figure) => fixedText(figure, 1));
    return [name, figures[0] as string, String(wantedNs), ns <= wantedNs ? 'met' : 'missed', figures[1] as string];
  });
  const columns = ['list type', 'ns per element', 'wanted', 'gate', 'whole ns per element'];
  return {
    columns,
    rows,
    failedGates: [],
    notes: [`${ELEMENTS} distinct elements in no order, median of pairs of runs, with and without the list type.`],
  };
}
