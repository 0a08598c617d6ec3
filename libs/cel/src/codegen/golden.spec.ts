import { expect, it } from 'vitest';
import { generateFor } from '../testing/generate-fixture.ts';
import type { SchemaFixture } from '../testing/schema-fixture.ts';

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
  },
};

/** Generated code is read by people: what rules become is written down here, and a change of it is seen. */
it.each([
  ['comparison-of-fields', 'self.minReplicas <= self.replicas', workload],
  ['presence-and-membership', "!has(self.mode) || self.mode in ['Blue', 'Green']", workload],
  ['all-over-objects', 'self.all(p, p.port > 0 && p.port < 65536)', ports],
  ['exactly-one', "self.ports.exists_one(p, p.name == 'http')", workload],
  ['filtered-list', "size(self.ports.filter(p, p.name.startsWith('x-'))) <= self.replicas * 2", workload],
  ['map-keys-and-values', "self.labels.all(k, k.matches('^[a-z]+$') && self.labels[k] != '')", workload],
  ['choice', "has(self.mode) && self.mode == 'Blue' ? self.replicas : 0", workload],
  ['change-of-a-field', 'self.mode == oldSelf.mode', workload],
])('%s', async (name, rule, schema) => {
  const generated = generateFor(rule, schema);
  const text = generated.ok ? generated.source : generated.obstacle;
  await expect(`// ${rule}\n${text}\n`).toMatchFileSnapshot(`./golden/${name}.js`);
});
