import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvaluationOutcome } from '../../src/evaluation/evaluate.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayProcess } from '../assay-process.ts';
import { LIVE_KUBECONFIG, LiveServer } from './live-server.ts';
import type { LiveAnswer } from './live-server.ts';
import { pump, pumpDefinition, PUMPS } from './pumps.ts';

const STORED = 50_000;
const SAMPLE = 1000;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Returns a verdict as a text that can be compared. Errors are sorted, because the server checks the fields of a map in a random order. */
function verdictOf(accepted: boolean, { spec, reason, message, details }: LiveAnswer): string {
  if (accepted) return `accepted ${JSON.stringify(spec, Object.keys(spec ?? {}).toSorted())}`;
  const causes = (details?.causes ?? []).map((cause) => JSON.stringify([cause.field, cause.reason, cause.message])).toSorted();
  return `rejected ${reason} ${causes.length > 1 ? causes.join(' ') : message}`;
}

if (LIVE_KUBECONFIG === undefined)
  console.warn(
    'skipped: commands against a real API server; ASSAY_LIVE_KUBECONFIG names the kubeconfig of one that may be written to (docs/how-to/cluster.md)',
  );

describe.skipIf(LIVE_KUBECONFIG === undefined)('a real API server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-live-'));
  const kubeconfig = LIVE_KUBECONFIG ?? '';
  let live: LiveServer;

  beforeAll(async () => {
    live = new LiveServer(kubeconfig);
    const definition = pumpDefinition();
    await live.send('POST', DEFINITIONS, definition);
    const established = async (): Promise<boolean> => {
      const { body } = await live.send('GET', `${DEFINITIONS}/${definition.metadata.name}`);
      return body.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
    };
    while (!(await established())) await new Promise((done) => setTimeout(done, 100));
    // Objects of an earlier run may still be stored, so a conflict (409) is no failure.
    const refused: string[] = [];
    await live.sendEach(STORED, async (i) => {
      const { code, body } = await live.send('POST', PUMPS, pump(i));
      if (code !== 201 && code !== 409) refused.push(body.message ?? String(code));
    });
    expect(refused).toEqual([]);
  }, 600_000);
  afterAll(() => {
    live.close();
    rmSync(folder, { recursive: true });
  });

  async function assay(...argv: readonly string[]): Promise<{ status: unknown; stdout: string; seconds: number }> {
    const started = performance.now();
    const run = new AssayProcess([...argv, '--cluster', '--kubeconfig', kubeconfig]);
    const status = await run.ended;
    return { status, stdout: run.stdout, seconds: (performance.now() - started) / 1000 };
  }

  it('what-if evaluates all stored objects within a minute', async () => {
    const to = join(folder, 'tight.json');
    writeFileSync(to, JSON.stringify(pumpDefinition(90)));
    const { status, stdout, seconds } = await assay('what-if', '--to', to, '-o', 'json');
    const { changes } = JSON.parse(stdout) as { changes: { impact: { objects: number; effects: Record<string, number> } }[] };
    const impact = changes[0]?.impact ?? { objects: 0, effects: {} };
    console.info(`what-if over ${impact.objects} objects: ${seconds.toFixed(1)} s`, JSON.stringify(impact.effects));
    expect(status).toBe(0);
    expect(impact.objects).toBe(STORED);
    const over = Array.from({ length: STORED }, (_, i) => pump(i)).filter(({ spec }) => spec.stages > 90).length;
    expect(impact.effects['savedByRatcheting']).toBe(over);
    expect(seconds).toBeLessThan(60);
  });

  it('gives the same verdicts as evaluate on updates in a dry run', async () => {
    // A third of the writes changes nothing. The others violate a bound, an enumeration, a rule or a type, or have an unknown field.
    const changes: readonly ((spec: Record<string, unknown>) => void)[] = [
      () => undefined,
      (spec) => (spec['stages'] = 101),
      (spec) => (spec['mode'] = 'sideways'),
      (spec) => Object.assign(spec, { mode: 'off', stages: 3 }),
      (spec) => (spec['hosts'] = ['']),
      (spec) => (spec['stages'] = 'many'),
      (spec) => delete spec['stages'],
      () => undefined,
      (spec) => (spec['note'] = 'y'.repeat(401)),
      (spec) => Object.assign(spec, { mode: 'off', stages: -1, hosts: Array.from({ length: 21 }, () => 'h') }),
      (spec) => (spec['mode'] = null),
      (spec) => (spec['unknown'] = true),
    ];
    const writes = Array.from({ length: SAMPLE }, (_, n) => {
      const written = pump((n * 49) % STORED);
      changes[n % changes.length]?.(written.spec);
      return written;
    });
    const file = join(folder, 'writes.ndjson');
    writeFileSync(file, writes.map((write) => JSON.stringify(write)).join('\n'));
    const { stdout, seconds } = await assay('evaluate', '-f', file, '-o', 'json', '--return-objects');
    const { items } = JSON.parse(stdout) as EvaluationOutcome;
    const ours = items.map(({ outcome, status, object }) => verdictOf(outcome === 'accepted', (status ?? object) as unknown as LiveAnswer));
    const theirs: string[] = [];
    await live.sendEach(SAMPLE, async (i) => {
      const write = writes[i];
      if (write === undefined) return;
      const path = `${PUMPS}/${write.metadata.name}`;
      const { body: stored } = await live.send('GET', path);
      const { resourceVersion } = stored.metadata;
      const sent = { ...write, metadata: { ...write.metadata, resourceVersion } };
      const { code, body } = await live.send('PUT', `${path}?dryRun=All&fieldValidation=Strict`, sent);
      theirs[i] = verdictOf(code === 200, body);
    });
    const differing = ours.flatMap((output, i) => (output === theirs[i] ? [] : [{ i, said: output, server: theirs[i] }]));
    const rejected = theirs.filter((output) => output.startsWith('rejected')).length;
    console.info(
      `${SAMPLE} updates (${rejected} rejected by the server), ${differing.length} verdicts differ; evaluate took ${seconds.toFixed(1)} s`,
    );
    expect(theirs).toHaveLength(SAMPLE);
    expect(differing.slice(0, 3)).toEqual([]);
  });
});
