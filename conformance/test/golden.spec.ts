import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultGates, isMinor } from '#kube';
import { nodeEngine } from '#runner/linker';
import { compareCase } from '../src/compare-case.ts';
import { definitionFiles } from '../src/definition-files.ts';
import { judgeCase } from '../src/judge-case.ts';
import { BOTH_ENGINES } from '../src/judging-engine.ts';
import { linesOfFile } from '../src/read-lines.ts';
import { readRecordedCase } from '../src/recorded-case.ts';
import { conformanceFile } from '../src/shared-folder.ts';

/**
 * Folder of the golden cases that are part of the project. Each line is `{minor, case, verdict, unstable?}`, chosen from the oracle's
 * golden verdicts (conformance/golden/README.md).
 */
const folder = conformanceFile('golden');
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));

describe.each(BOTH_ENGINES.flatMap((engine) => files.map((file) => [engine, file] as const)))(
  'recorded verdicts of Kubernetes ("golden verdicts"), %s: %s',
  (engine, file) => {
    it('are the verdicts of Assay', async () => {
      const differing: unknown[] = [];
      let cases = 0;
      for await (const line of linesOfFile(join(folder, file))) {
        const record = readRecordedCase(line);
        if (record === undefined) throw new Error(`a line of ${file} is no recorded case`);
        const { minor, test, verdict, unstable } = record;
        if (minor === undefined || !isMinor(minor)) throw new Error(`${file}: unknown minor`);
        const ours = judgeCase(test, {
          minor,
          gates: defaultGates(minor),
          engine: nodeEngine(engine),
          loadDocument: definitionFiles(folder),
        });
        const comparison = compareCase(test, verdict, ours, unstable);
        if (!comparison.exact) differing.push({ minor, id: test['id'], differences: comparison.differences });
        cases++;
      }
      expect(differing).toEqual([]);
      expect(cases).toBeGreaterThan(0);
    });
  },
);
