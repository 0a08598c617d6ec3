import { expect, it } from 'vitest';
import { generateFor } from '../../testing/compile-fixture.ts';
import type { SchemaFixture } from '../../testing/compile-fixture.ts';

const ports: SchemaFixture = {
  type: 'array',
  items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
};
const workload: SchemaFixture = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    minReplicas: { type: 'integer' },
    mode: { type: 'string' },
    ports,
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    anything: { intOrString: true },
  },
};

/** Compares the generated code of some rules with stored files, so that the code can be read and every change to it is noticed. */
it.each([
  ['comparison-of-fields', 'self.minReplicas <= self.replicas', workload],
  ['presence-and-membership', "!has(self.mode) || self.mode in ['Blue', 'Green']", workload],
  ['all-over-objects', 'self.all(p, p.port > 0 && p.port < 65536)', ports],
  ['exactly-one', "self.ports.exists_one(p, p.name == 'http')", workload],
  ['filtered-list', "size(self.ports.filter(p, p.name.startsWith('x-'))) <= self.replicas * 2", workload],
  ['sum-of-filtered', 'self.ports.map(p, p.name != "", p.port).sum() < 10', workload],
  ['map-keys-and-values', "self.labels.all(k, k.matches('^[a-z]+$') && self.labels[k] != '')", workload],
  ['choice', "has(self.mode) && self.mode == 'Blue' ? self.replicas : 0", workload],
  ['change-of-a-field', 'self.mode == oldSelf.mode', workload],
  ['map-literal', "{'a': self.replicas, ?'b': self.?minReplicas}.b > 0", workload],
  ['transformed-map', 'self.labels.transformMap(k, v, v != "", v + k).size() > 0', workload],
  ['sorted-by-key', 'self.ports.sortBy(p, p.port)[0].port >= 1024', workload],
  ['dyn-range', 'dyn(self.ports).all(p, p.port > 0)', workload],
  ['optional-elements', '[?self.?minReplicas, self.replicas].size() == 2', workload],
  ['selection-from-a-choice', '(has(self.minReplicas) ? self.ports[0] : self.ports[1]).port == 80', workload],
  ['int-beyond-the-safe-range', 'self.replicas < 9223372036854775807', workload],
  ['bound-value', 'self.?mode.optMap(m, m.size() + m.size()).orValue(0) > 2', workload],
])('the generated code of %s is as recorded', async (name, rule, schema) => {
  const generated = generateFor(rule, schema);
  const text = generated.ok ? generated.source : generated.obstacle;
  await expect(`// ${rule}\n${text}\n`).toMatchFileSnapshot(`./golden/${name}.js`);
});
