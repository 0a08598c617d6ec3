import { latestServer } from '#kube';
import { checkOptions, definitionText } from '#evaluation';
import { describe, expect, it, onTestFinished } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { EngineHost } from './engine-host.ts';
import { runChunk } from '../../service/src/run/run-chunk.ts';

const bytes = (value: unknown): { bytes: Buffer; notation: 'json' } => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an engine host that does not answer', () => {
  it('is killed when its work is cancelled', async () => {
    const host = new EngineHost({ threads: 1 });
    await host.start();
    const options = checkOptions({});
    if (!options.ok) throw new Error('options');
    const text = definitionText(bytes(customDefinition({ kind: 'Probe', schema: { type: 'object' } })), latestServer());
    const settings = {
      options: options.value,
      definitions: [{ digest: text.digest, group: 'example.com', kind: 'Probe' }],
      refused: [],
      deadlineAt: Date.now() + 3_600_000,
      traceparent: undefined,
    };
    const item = bytes({ apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name: 'a', namespace: 'b' } });
    const controller = new AbortController();
    const stuck = host.processId ?? 0;
    // Stopped, it hears neither the work nor the cancellation, as in a native call that nothing interrupts.
    process.kill(stuck, 'SIGSTOP');
    const chunk = { evaluation: 'e', index: 0, firstItem: 0, items: [item], settings };
    const running = runChunk(host, chunk, [text], { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    // Nobody else would end it, should it not be killed.
    onTestFinished(() => void (isAlive(stuck) && process.kill(stuck, 'SIGKILL')));
    const { verdicts } = (await running).result;
    expect(verdicts.map((line) => (JSON.parse(line) as { outcome: string }).outcome)).toEqual(['cancelled']);
    expect(host.processId).not.toBe(stuck);
    host.stop();
  });
});
