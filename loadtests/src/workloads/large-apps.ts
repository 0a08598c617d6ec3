import { largeBody, largeDefinition } from './judging.ts';

const PORT = {
  type: 'object',
  properties: {
    port: { type: 'integer', minimum: 1, maximum: 65535 },
    protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP' },
  },
};
const APP = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 63, pattern: '^[a-z0-9-]+$' },
    image: { type: 'string' },
    replicas: { type: 'integer', minimum: 0 },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ports: { type: 'array', items: PORT },
  },
};

/** Definition without rules. It has a list of structures that resemble structures of real resources. */
export const LARGE_APPS = largeDefinition({ apps: { type: 'array', maxItems: 20_000, items: APP } });

/** Returns an object of {@link LARGE_APPS} with about 190 bytes for each structure. */
export function largeAppsBody(apps: number): Buffer {
  return largeBody({
    apps: Array.from({ length: apps }, (_, i) => ({
      name: `app-${i}`,
      image: `registry.example.com/team/app-${i}:v1.${i}`,
      replicas: i % 7,
      labels: { app: `app-${i}`, tier: 'backend' },
      ports: [{ port: 8080, protocol: 'TCP' }, { port: 9090 }],
    })),
  });
}
