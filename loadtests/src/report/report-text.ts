import { chartData } from '#charts';
import { failedText } from '../result/failed-experiments.ts';
import { sentence } from '../result/sentence.ts';
import { claimsText } from '../result/sorted-claims.ts';
import { gatesText, sortGates } from '../result/sorted-gates.ts';
import type { RunSummary } from '../result/summary.ts';
import { conditionsOf, noiseText, stateText } from './run-words.ts';
import { textTable } from './text-table.ts';

/** A run for the terminal. */
export function reportText(summary: RunSummary): string {
  const { experiments } = summary;
  const lines = conditionsOf(summary).map(([key, value]) => `${key}: ${value}`);
  const claims = experiments.flatMap((experiment) => experiment.claims);
  const broken = failedText(experiments);
  lines.push('', noiseText(experiments), `${sentence([claimsText(claims)])}.`, ...(broken === undefined ? [] : [`${broken}.`]));
  for (const experiment of experiments) {
    const { name, finding, charts, tables, claims: own, gates, notes } = experiment;
    lines.push('', `== ${name}${stateText(experiment)}`, finding, '');
    for (const chart of charts) {
      const data = chartData(chart);
      if (data.rows.length > 0) lines.push(textTable({ title: chart.title, ...data, notes: [] }));
    }
    for (const table of tables) lines.push(textTable(table));
    for (const { claim, source, system, found, verdict } of own)
      lines.push(`${source}: ${claim} [${system}]: ${found === verdict ? verdict : `${found}: ${verdict}`}`);
    lines.push(...notes);
    lines.push(`${sentence([gatesText(gates)])}.`);
    for (const gate of sortGates(gates).failed) lines.push(`GATE FAILED: ${gate.name}: expected ${gate.expected}, got ${gate.actual}`);
  }
  return lines.join('\n');
}
