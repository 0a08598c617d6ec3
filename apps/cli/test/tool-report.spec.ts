import { expect, it } from 'vitest';
import { toolReport } from '../src/report/tool-report.ts';

it('workflow commands of CI systems contain no terminal control sequences', () => {
  const hostile = 'x\u001b]0;owned\u0007\n::error::y';
  const finding = { severity: 'error', field: hostile, message: hostile } as const;
  const report = toolReport('github', { rules: {}, problems: [{ rule: 'r', finding, file: hostile, about: hostile }], cases: [] });
  expect(report).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  expect(report.split('\n')).toEqual([expect.stringMatching(/^::error file=/), '']);
});
