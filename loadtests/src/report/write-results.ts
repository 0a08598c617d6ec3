import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standaloneChart } from '#charts';
import { runSummarySchema } from '../result/summary.ts';
import type { RunSummary } from '../result/summary.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { reportPage } from './page.ts';

/** Writes a run into a folder: `summary.json`, `report.html`, `summary.md`, `junit.xml`, and each chart as SVG. What does not fit the schema is a bug and throws. */
export function writeResults(summary: RunSummary, folder: string): void {
  const checked = runSummarySchema.parse(summary);
  mkdirSync(join(folder, 'charts'), { recursive: true });
  writeFileSync(join(folder, 'summary.json'), `${JSON.stringify(checked, undefined, 1)}\n`);
  writeFileSync(join(folder, 'report.html'), reportPage(checked));
  writeFileSync(join(folder, 'summary.md'), markdownReport(checked));
  writeFileSync(join(folder, 'junit.xml'), junitReport(checked));
  for (const { name, charts } of checked.experiments)
    for (const chart of charts) writeFileSync(join(folder, 'charts', `${name}-${chart.id}.svg`), standaloneChart(chart));
}
