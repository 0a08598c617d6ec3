import { validateObject } from '#crd';
import { fixedText, NOT_MEASURED } from '../measure/figures.ts';
import { extent } from '../measure/quotient.ts';
import type { BenchTable } from './bench-table.ts';
import { compiled, largeBody, largeDefinition, timed, UNLIMITED } from '../workloads/judging.ts';

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
  { name: 'set of integers', schema: { type: 'integer' }, listType: SET, element: KEY, wantedNs: 30 },
  { name: 'set of integers, far apart', schema: { type: 'integer' }, listType: SET, element: (i) => KEY(i) * 104_729, wantedNs: 30 },
  { name: 'set of strings', schema: TEXT, listType: SET, element: (i) => `name-${KEY(i)}`, wantedNs: 30 },
  {
    name: 'map, one key',
    schema: { type: 'object', required: ['name'], properties: { name: TEXT } },
    listType: MAP,
    element: (i) => ({ name: `name-${KEY(i)}` }),
    wantedNs: 60,
  },
];

/** ns per element that a list type adds to a list that is atomic otherwise. */
export function benchListTypes(quick: boolean): BenchTable {
  const rows = CASES.map(({ name, schema, listType, element, wantedNs }) => {
    const list = { type: 'array', maxItems: ELEMENTS, items: schema };
    const definition = compiled(largeDefinition({ list: { ...list, ...listType } }));
    const body = largeBody({ list: Array.from({ length: ELEMENTS }, (_, i) => element(i)) });
    const lists: number[] = [];
    const wholes: number[] = [];
    for (const until = performance.now() + (quick ? 400 : 2000); performance.now() < until;) {
      const write = { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' } as const;
      const { value, ms } = timed(() => validateObject(definition, write, { timings: true, costLimit: UNLIMITED, budget: UNLIMITED }));
      if ('cancelled' in value || !value.accepted || !value.phases) throw new Error(`${name} is not accepted`);
      lists.push(value.phases.lists);
      wholes.push(ms);
    }
    const [ns, wholeNs] = [lists, wholes].map((ms) => extent(ms.map((one) => (one * 1e6) / ELEMENTS))?.least);
    const met = ns === undefined ? NOT_MEASURED : ns <= wantedNs ? 'met' : 'missed';
    return [name, fixedText(ns, 1), String(wantedNs), met, fixedText(wholeNs, 0)];
  });
  const columns = ['list type', 'ns per element', 'wanted', 'gate', 'whole ns per element'];
  return { columns, rows, failedGates: [], notes: [`${ELEMENTS} distinct elements in no order, fastest run.`] };
}
