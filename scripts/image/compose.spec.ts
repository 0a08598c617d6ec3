import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../..');
const composeFile = z.object({ services: z.record(z.string(), z.object({ ports: z.array(z.string()).default([]) })) });
const files = readdirSync(ROOT).filter((name) => /^docker-compose.*\.yml$/.test(name));
const published = files.flatMap((file) =>
  Object.values(composeFile.parse(parse(readFileSync(join(ROOT, file), 'utf8'))).services).flatMap(({ ports }) => ports),
);

describe('the Compose files', () => {
  it('open ports without access keys only on the loopback address, unless ASSAY_BIND is set', () => {
    expect(published.toSorted()).toEqual(
      ['16686:16686', '3000:3000', '8080:8080', '9090:9090'].map((port) => `\${ASSAY_BIND:-127.0.0.1}:${port}`),
    );
  });
});
