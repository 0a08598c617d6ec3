import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STREAMED_DEFINITION, wrongVerdicts, YAML_STREAMS } from '../../../testing/yaml-streams.ts';
import { runAssay } from '../../../testing/run-assay.ts';

interface Item {
  readonly source: string;
  readonly outcome: string;
  readonly status?: { readonly message?: string };
}

describe('assay evaluate', () => {
  it('reads every document of a YAML file, in any encoding and with any line end and separator', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-yaml-streams-'));
    const definition = join(folder, 'definition.json');
    writeFileSync(definition, JSON.stringify(STREAMED_DEFINITION));
    YAML_STREAMS.forEach(({ bytes }, i) => writeFileSync(join(folder, `${i}.yaml`), bytes));
    const { status, stdout } = await runAssay(['evaluate', '-o', 'json', folder]);
    expect(status).toBe(1);
    const { items } = JSON.parse(stdout) as { items: readonly Item[] };
    const byFile = Map.groupBy(items, ({ source }) => source.slice(folder.length + 1).replace(/\.yaml#\d+$/, ''));
    const wrong = YAML_STREAMS.map((stream, i) => [stream.name, wrongVerdicts(stream, byFile.get(String(i)) ?? [])]);
    expect(wrong.filter(([, why]) => why !== undefined)).toEqual([]);
  });
});
