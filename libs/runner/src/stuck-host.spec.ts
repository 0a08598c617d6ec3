import { latestServer } from '#kube';
import { checkOptions, definitionText } from '#documents';
import type { ChunkResult } from '#documents';
import { logOnly } from '#telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { EngineHost } from './engine-host.ts';
import type { RunAnswer } from './engine.ts';

const bytes = (value: unknown): { bytes: Buffer; notation: 'json' } => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
const options = checkOptions({});
if (!options.ok) throw new Error('options');
const text = definitionText(bytes(customDefinition({ kind: 'Probe', schema: { type: 'object' } })), latestServer());
const settings = { options: options.value, definitions: [{ digest: text.digest, group: 'example.com', kind: 'Probe' }], refused: [] };
const silent = logOnly({ info: () => undefined, warn: () => undefined, error: () => undefined, fatal: () => undefined });

const { quarantinedWork, stuckThreads } = silent.metrics.counters;
const totalOf = ({ series }: typeof stuckThreads): number => [...series].reduce((total, { value }) => total + value.sum, 0);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the outcome of the only object, or the kind of answer if the run ended without an outcome. */
function endOf(answer: RunAnswer<ChunkResult>): string {
  const [verdict] = answer.kind === 'done' ? answer.result.verdicts : [];
  return verdict === undefined ? answer.kind : (JSON.parse(verdict) as { outcome: string }).outcome;
}

// A stopped process reads neither work nor cancellations. A host behaves the same way if its threads are in an endless native call.
describe('an engine host that does not answer', () => {
  let host: EngineHost;
  let stuck: number;

  beforeEach(async () => {
    host = new EngineHost({ threads: 2, telemetry: silent });
    await host.start();
    stuck = host.processId ?? 0;
    process.kill(stuck, 'SIGSTOP');
  });
  afterEach(() => {
    host.stop();
    if (isAlive(stuck)) process.kill(stuck, 'SIGKILL');
  });

  const run = async (name: string, flow: string, signal?: AbortSignal): Promise<string> => {
    const item = bytes({ apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name, namespace: 'b' } });
    const work = { kind: 'evaluate', firstItem: 0, items: [item], settings } as const;
    return endOf(await host.run(work, { definitions: [text], flow, ...(signal && { signal }) }));
  };
  const quarantined = (): number => totalOf(quarantinedWork);

  it('is killed when its work is cancelled, and its other work runs again in the next host', async () => {
    const before = { quarantined: quarantined(), stuck: totalOf(stuckThreads) };
    const controller = new AbortController();
    const guilty = run('guilty', 'hostile', controller.signal);
    const innocent = run('innocent', 'honest');
    setImmediate(() => controller.abort());
    expect(await guilty).toBe('cancelled');
    expect(await innocent).toBe('accepted');
    expect(host.processId).not.toBe(stuck);
    expect(totalOf(stuckThreads) - before.stuck).toBe(1);
    expect(quarantined()).toBe(before.quarantined);
  });

  it('moves only the offending task into quarantine', async () => {
    const controller = new AbortController();
    const guilty = run('guilty', 'hostile', controller.signal);
    setImmediate(() => controller.abort());
    expect(await guilty).toBe('cancelled');
    const before = quarantined();
    expect(await run('again', 'hostile')).toBe('accepted');
    expect(quarantined() - before).toBe(1);
    expect(await run('other', 'honest')).toBe('accepted');
    expect(quarantined() - before).toBe(1);
  });
});
