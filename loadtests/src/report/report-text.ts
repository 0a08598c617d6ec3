import { chartData } from '#charts';
import { failedText } from '../result/failed-experiments.ts';
import { sentence } from '../result/sentence.ts';
import { claimsText } from '../result/sorted-claims.ts';
import { gatesText, sortGates } from '../result/sorted-gates.ts';
import type { RunSummary } from '../result/summary.ts';
import { textTable } from './text-table.ts';

/** A run for the terminal. */
export function reportText({ experiments, environment, noiseFloor }: RunSummary): string {
  const lines = Object.entries({ ...environment, 'noise floor': `${noiseFloor.toFixed(2)}×` }).map(([key, value]) => `${key}: ${value}`);
  const claims = experiments.flatMap((experiment) => experiment.claims);
  const broken = failedText(experiments);
  lines.push('', `${sentence([claimsText(claims)])}.`, ...(broken === undefined ? [] : [`${broken}.`]));
  for (const { name, finding, status, why, noise, charts, tables, claims: own, gates, notes } of experiments) {
    const state = status === 'complete' ? '' : ` (${status}${why === undefined ? '' : `: ${why}`})`;
    lines.push('', `== ${name}${state}${noise.verdict === 'noisy' ? ' [noisy machine]' : ''}`, finding, '');
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
