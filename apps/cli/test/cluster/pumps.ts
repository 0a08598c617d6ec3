import { customDefinition } from '../../../../testing/custom-definition.ts';

/** API path of the stored pumps, which are the custom resources of these tests. */
export const PUMPS = '/apis/live.assay.example.com/v1/namespaces/default/pumps';

/** Returns the definition of the pumps. `most` is the largest permitted number of stages. */
export function pumpDefinition(most = 100) {
  return customDefinition({
    group: 'live.assay.example.com',
    kind: 'Pump',
    schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          required: ['stages'],
          properties: {
            stages: { type: 'integer', minimum: 0, maximum: most },
            mode: { type: 'string', enum: ['auto', 'manual', 'off'], default: 'auto' },
            hosts: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 40 } },
            note: { type: 'string', maxLength: 400 },
          },
          'x-kubernetes-validations': [
            { rule: "self.mode != 'off' || self.stages == 0", message: 'a pump that is off has no stages' },
            { rule: '!has(self.hosts) || self.hosts.all(h, h.size() > 0)' },
          ],
        },
      },
    },
  });
}

/** Returns a pump (custom resource of these tests) that its definition accepts. The number `i` determines its name and its field values. */
export function pump(i: number) {
  return {
    apiVersion: 'live.assay.example.com/v1',
    kind: 'Pump',
    metadata: { name: `pump-${String(i).padStart(6, '0')}`, namespace: 'default', labels: { site: `site-${i % 17}` } },
    spec: {
      stages: i % 13 === 0 ? 0 : i % 101,
      mode: i % 13 === 0 ? 'off' : 'manual',
      hosts: Array.from({ length: i % 7 }, (_, n) => `host-${n}.example.com`),
      note: 'x'.repeat((i * 31) % 300),
    },
  };
}
