import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { Fleet } from './fleet.ts';

const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('assay-chaos-'));

afterEach(() => vi.unstubAllEnvs());

describe('a fleet of processes for tests with faults', () => {
  it('starts from sources without a build, and leaves no processes or files', async () => {
    const fleet = await Fleet.start('embedded');
    try {
      expect((await fetch(`${fleet?.url}/readyz`)).status).toBe(200);
      expect(fleet?.supervise()).toEqual([]);
    } finally {
      expect(await fleet?.stop()).toEqual([]);
    }
  });

  it.skipIf(!thorough)('that cannot start reports the message of its process at once, and leaves no processes or files', async () => {
    const before = folders();
    vi.stubEnv('ASSAY_DEADLINE_MS', 'soon');
    const begun = performance.now();
    await expect(Fleet.start('embedded')).rejects.toThrow(/^api ended by itself \(\d+\): .*ASSAY_DEADLINE_MS/s);
    expect(performance.now() - begun).toBeLessThan(200_000);
    expect(folders()).toEqual(before);
  });
});
