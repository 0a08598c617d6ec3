import { describe, expect, it } from 'vitest';
import { readFloors } from '../src/floors.ts';
import { recordedFiles, scoreFile } from '../src/score-files.ts';
import { sharedIsHere } from '../src/shared-folder.ts';

const floors = readFloors();

if (!sharedIsHere)
  console.warn('shared/ is not beside the project: the recorded behaviour of upstream is not compared (docs/conformance.md)');

describe.skipIf(!sharedIsHere).concurrent('recorded behaviour of upstream', () => {
  it.each(recordedFiles().map((file) => [file.name, file] as const))(
    '%s does not fall below its floor',
    { timeout: 600_000 },
    async (name, file) => {
      const score = await scoreFile(file);
      expect({ healed: score.healed, reached: score.exact + score.known }).toMatchObject({ healed: [] });
      expect(score.exact + score.known).toBeGreaterThanOrEqual(floors[name] ?? 0);
    },
  );
});
