import { NOT_MEASURED } from '#charts';
import { runCell } from '../engines/run-cell.ts';
import type { BenchTable } from './bench-table.ts';
import { REGEX_CASES, REGEX_ENGINES } from './regex-cases.ts';

/** All sizes of an engine on a pattern get this long together; what did not come back is shown as not measured. */
const CAP_MS = { assay: 60_000, RegExp: 5000 };
/** How much more a byte of the largest text may cost than one of any smaller text: room for caches and noise, none for a power of the size. */
const FLAT_WITHIN = 6;

interface Cell {
  readonly size: number;
  readonly nsPerByte: number;
}

/** ns per byte of patterns that make backtracking explode, by text size. Assay's has to be flat. */
export function benchRegex(quick: boolean): BenchTable {
  const sizes = quick ? [1000, 64_000, 128_000] : [1000, 16_000, 128_000, 1_000_000];
  const rows: string[][] = [];
  const failedGates: string[] = [];
  for (const { name, pattern } of REGEX_CASES) {
    const cells = new Map(REGEX_ENGINES.map((engine) => [engine, measure(engine, name, sizes, quick)]));
    sizes.forEach((size, i) => {
      rows.push([name, i === 0 ? shown(pattern) : '', String(size), ...REGEX_ENGINES.map((engine) => figure(cells.get(engine)?.[i]))]);
    });
    for (const engine of ['test', 'find'] as const) {
      const figures = (cells.get(engine) ?? []).map(({ nsPerByte }) => nsPerByte);
      const last = figures.pop();
      if (last === undefined || figures.length < sizes.length - 1) failedGates.push(`${name}: ${engine} did not come back`);
      else if (last > FLAT_WITHIN * Math.max(...figures)) failedGates.push(`${name}: ${engine} is not flat`);
    }
    process.stderr.write(`  ${name}\n`);
  }
  return {
    columns: ['case', 'pattern', 'size', ...REGEX_ENGINES.map((engine) => `${engine} ns/byte`)],
    rows,
    failedGates,
    notes: [
      `Best of the cell. "test" and "RegExp" answer yes or no, as \`matches\` and \`pattern\` need it, of a text that does not match; "find" gives the match, of one that does at its end. "not measured": not back within ${CAP_MS.RegExp / 1000} s.`,
    ],
  };
}

function measure(engine: string, name: string, sizes: readonly number[], quick: boolean): Cell[] {
  const args = [engine, name, sizes.join(','), quick ? '100' : '300'];
  return runCell<Cell>({ from: import.meta.url, path: './regex-cell' }, args, engine === 'RegExp' ? CAP_MS.RegExp : CAP_MS.assay);
}

const shown = (pattern: string): string => (pattern.length > 30 ? `${pattern.slice(0, 29)}…` : pattern);

function figure(cell: Cell | undefined): string {
  if (cell === undefined) return NOT_MEASURED;
  return cell.nsPerByte < 10 ? cell.nsPerByte.toFixed(2) : cell.nsPerByte.toFixed(0);
}
