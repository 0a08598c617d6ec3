import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standaloneChart } from '#report/charts';
import { PROJECT } from '../places.ts';
import { runSummarySchema } from '../result/summary.ts';
import type { RunSummary } from '../result/summary.ts';
import { junitReport } from './junit.ts';
import { markdownReport, pictureOf } from './markdown.ts';
import { reportPage } from './page.ts';

/**
 * Writes a run into a folder: `summary.json`, `report.html`, `summary.md`, `junit.xml`, and each chart as SVG. Throws if the run does not
 * match the schema, which would be a bug.
 */
export function writeResults(summary: RunSummary, folder: string): void {
  const checked = runSummarySchema.parse(summary);
  writeCharts(checked, join(folder, 'charts'));
  writeFileSync(join(folder, 'summary.json'), `${JSON.stringify(checked, undefined, 1)}\n`);
  writeFileSync(join(folder, 'report.html'), reportPage(checked));
  writeFileSync(join(folder, 'summary.md'), markdownReport(checked, 'charts'));
  writeFileSync(join(folder, 'junit.xml'), junitReport(checked));
}

/**
 * Writes a run into the project's documentation: a page such as `docs/reports/experiments.md`, and its charts in the folder of the same name.
 * `page` is the name of both.
 */
export function publish(summary: RunSummary, page: string): void {
  const pictures = join(PROJECT, 'docs/reports', page);
  rmSync(pictures, { recursive: true, force: true });
  writeCharts(summary, pictures);
  writeFileSync(`${pictures}.md`, markdownReport(summary, page));
}

function writeCharts({ experiments }: RunSummary, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, charts } of experiments)
    for (const chart of charts) writeFileSync(join(folder, pictureOf(name, chart)), standaloneChart(chart));
}
