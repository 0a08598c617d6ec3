import { runCell } from '../engines/run-cell.ts';
import { CEL_CASES } from '../engines/cel-cases.ts';
import type { Cell } from '../engines/cell.ts';
import type { EngineName } from '../engines/cel-engines.ts';
import { fasterCell } from '../engines/cell.ts';
import { buildGoValidator } from '../engines/go-validator.ts';
import type { BenchTable } from './bench-table.ts';
import { celRow, ENGINE_NAMES } from './cel-row.ts';

/** Runs of generated code and of the hand-written loop; the best counts. */
const ROUNDS = { quick: 2, full: 3 };
/** Least milliseconds of a measurement. */
const LEAST_MS = { quick: 150, full: 400 };
const SIZES = { quick: [1000, 64_000], full: [1000, 16_000, 64_000, 300_000, 1_572_000] };
const NESTED_SIZES = { quick: [300], full: [100, 300, 1000] };

/** ns per element of every engine, for all cases or those that are named. */
export function benchCel(names: readonly string[], quick: boolean): BenchTable {
  const scale = quick ? 'quick' : 'full';
  const rows: (readonly string[])[] = [];
  const failedGates: string[] = [];
  const unmeasuredGates: string[] = [];
  const go = buildGoValidator();
  for (const test of CEL_CASES) {
    if (names.length > 0 && !names.includes(test.name)) continue;
    const sizes = (test.nested ? NESTED_SIZES : SIZES)[scale];
    const cells = new Map<EngineName, Cell[]>();
    for (const engine of ENGINE_NAMES) {
      const rounds = engine === 'hand' || engine === 'compiled' ? ROUNDS[scale] : 1;
      for (let round = 0; round < rounds; round++) {
        const before = cells.get(engine) ?? [];
        const now = runCell<Cell>({ from: import.meta.url, path: '../engines/cel-cell' }, [
          engine,
          test.name,
          sizes.join(','),
          String(LEAST_MS[scale]),
        ]);
        cells.set(
          engine,
          sizes.map((size, i) => fasterCell(before[i], now[i]) ?? { size }),
        );
      }
    }
    const goCells = typeof go === 'string' ? [] : go.measure(test, sizes);
    sizes.forEach((size, i) => {
      const one = celRow({ test, size, at: (engine) => cells.get(engine)?.[i], go: goCells.find((cell) => cell.size === size) });
      rows.push(one.row);
      failedGates.push(...one.failedGates);
      unmeasuredGates.push(...one.unmeasuredGates);
    });
    process.stderr.write(`  ${test.name}\n`);
  }
  const notes = [
    `ns per element (nested: per inner step), best run; in brackets the multiple of compiled. "hand" is a hand-written loop with the same cost counted; the npm peers count none. "not measured": slower than the cap.`,
    typeof go === 'string'
      ? `Go validator: not measured, ${go}.`
      : 'Go validator: cel.Validator of apiextensions-apiserver, limits lifted.',
  ];
  if (typeof go !== 'string') go.close();
  const columns = ['case', 'size', 'hand', 'compiled', '÷ hand', 'wanted', 'gate', ...ENGINE_NAMES.slice(2), 'Go validator'];
  return { columns, rows, notes, failedGates, unmeasuredGates };
}
