import { validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { defaultGates, LATEST_MINOR } from '#kube';
import type { JsonObject } from '#kube';
import type { BenchTable } from './bench-table.ts';
import { compiled, largeBody, largeDefinition, parsed, timed, UNLIMITED } from '../workloads/judging.ts';

const NAME = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 };
const MAP_LIST = { type: 'array', maxItems: 100, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const ENTRY = {
  type: 'object',
  required: ['name'],
  'x-kubernetes-validations': [{ rule: 'self.low <= self.high', message: 'low must not be above high' }],
  properties: {
    name: NAME,
    low: { type: 'integer', minimum: 0 },
    high: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    kind: { type: 'string', enum: ['A', 'B', 'C'] },
    tags: { type: 'array', maxItems: 10, 'x-kubernetes-list-type': 'set', items: { type: 'string', maxLength: 20 } },
  },
};
const GROUP = { type: 'object', required: ['name'], properties: { name: NAME, entries: { ...MAP_LIST, items: ENTRY } } };
const SPEC = { type: 'object', properties: { groups: { ...MAP_LIST, items: GROUP } } };

const CHANGES = ['one leaf', 'every entry', 'nothing'] as const;
type Change = (typeof CHANGES)[number];
/** Most that ratcheting may add to an update (KEP-4008). */
const WANTED = 1.05;

const GROUPS = 50;
const ENTRIES = 50;
/** Errors of one kind in an invalid object: a fifth of its entries exceed a maximum, another fifth break a rule. Neither keeps the other from being found. */
const ERRORS = (GROUPS * ENTRIES) / 5;

/** KEP-4008's question: what does it cost an update that unchanged parts may stay invalid? */
export function benchRatcheting(quick: boolean): BenchTable {
  const on = compiled(largeDefinition({ spec: SPEC }));
  const off = compiled(largeDefinition({ spec: SPEC }), { ...defaultGates(LATEST_MINOR), CRDValidationRatcheting: false });
  const rows: string[][] = [];
  const failedGates: string[] = [];
  for (const invalid of [false, true]) {
    for (const change of CHANGES) {
      const oldObject = parsed(JSON.parse(body(invalid, 'nothing').toString()));
      const sent = body(invalid, change);
      const times = { off: Number.POSITIVE_INFINITY, on: Number.POSITIVE_INFINITY };
      const errors = { off: 0, on: 0 };
      for (const until = performance.now() + (quick ? 400 : 2000); performance.now() < until;) {
        for (const [key, definition] of [
          ['off', off],
          ['on', on],
        ] as const) {
          const run = timed(() => update(definition, sent, oldObject));
          times[key] = Math.min(times[key], run.ms);
          errors[key] = run.value;
        }
      }
      const ratio = times.on / times.off;
      const met = change === 'nothing' ? ratio < 1 : ratio <= WANTED;
      const name = `${invalid ? 'invalid' : 'valid'}, ${change} changed`;
      const ms = [times.off.toFixed(2), times.on.toFixed(2)];
      rows.push([name, ...ms, `${((ratio - 1) * 100).toFixed(0)} %`, String(errors.off), String(errors.on), met ? 'met' : 'missed']);
      // Times are information; what is excused is not.
      const expected = { off: invalid ? 2 * ERRORS : 0, on: invalid && change === 'every entry' ? ERRORS : 0 };
      if (errors.off !== expected.off) failedGates.push(`${name}: ${errors.off} errors without ratcheting, not ${expected.off}`);
      if (errors.on !== expected.on) failedGates.push(`${name}: ${errors.on} errors with ratcheting, not ${expected.on}`);
    }
  }
  const columns = ['update', 'off ms', 'on ms', 'overhead', 'errors off', 'errors on', 'gate'];
  return {
    columns,
    rows,
    failedGates,
    notes: ['Whole update, bytes to verdict, fastest run. Wanted: at most 5 %, less than nothing where nothing changed.'],
  };
}

/** How many errors an update gets. */
function update(definition: CompiledDefinition, body: Buffer, oldObject: JsonObject): number {
  const verdict = validateObject(
    definition,
    { operation: 'UPDATE', body, oldObject, contentType: 'application/json', fieldValidation: 'Warn' },
    { costLimit: UNLIMITED, budget: UNLIMITED },
  );
  if ('cancelled' in verdict) return Number.NaN;
  return verdict.accepted ? 0 : verdict.errors.length;
}

function body(invalid: boolean, change: Change): Buffer {
  const groups = Array.from({ length: GROUPS }, (_, group) => ({
    name: `group-${group}`,
    entries: Array.from({ length: ENTRIES }, (__, entry) => {
      const changed = change === 'every entry' || (change === 'one leaf' && group === GROUPS - 1 && entry === ENTRIES - 1);
      return {
        name: `entry-${entry}`,
        low: invalid && entry % 5 === 1 ? 2000 : entry,
        high: invalid && entry % 5 === 0 ? 2_000_000 : 1000,
        kind: changed ? 'B' : 'A',
        tags: ['x', 'y', 'z'],
      };
    }),
  }));
  return largeBody({ spec: { groups } });
}
