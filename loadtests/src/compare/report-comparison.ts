import { countedText, NOT_MEASURED } from '#charts';
import type { Table } from '../result/summary.ts';
import type { CellChange, Comparison } from './compare-summaries.ts';

/** Fewest cells that are worth a table though nothing changed. */
const SHOWN_UNCHANGED = 12;

/** A comparison for people: changed cells first, largest change first. */
export function comparisonTables({ cells, brokenGates, unmeasuredGates, doubts, noiseFloor, only }: Comparison): Table[] {
  const size = ({ ratio }: CellChange): number => (ratio === undefined ? 0 : Math.abs(Math.log(ratio)));
  const changed = cells.filter(({ change }) => change !== 'same').toSorted((a, b) => size(b) - size(a));
  const same = cells.filter(({ change }) => change === 'same').toSorted((a, b) => size(b) - size(a));
  const row = ({ experiment, id, before, after, unit, ratio, interval, change }: CellChange): string[] => [
    experiment,
    id,
    figure(before),
    figure(after),
    unit,
    ratio?.toFixed(3) ?? NOT_MEASURED,
    interval === undefined ? NOT_MEASURED : `${interval[0].toFixed(2)} – ${interval[1].toFixed(2)}`,
    change,
  ];
  return [
    {
      title: `${changed.length} of ${countedText(cells.length, 'cell')} changed by more than the noise floor of ${noiseFloor.toFixed(2)}×`,
      columns: ['experiment', 'cell', 'before', 'after', 'unit', 'ratio', '95 % interval', 'change'],
      rows: [...changed, ...same.slice(0, SHOWN_UNCHANGED)].map(row),
      notes: [
        ...doubts.map((doubt) => `Doubt: ${doubt}.`),
        ...(only.before.length > 0 ? [`Only in the first run: ${countedText(only.before.length, 'cell')}.`] : []),
        ...(only.after.length > 0 ? [`Only in the second run: ${countedText(only.after.length, 'cell')}.`] : []),
        ...(unmeasuredGates > 0 ? [`Held in the first run and not measured in the second: ${countedText(unmeasuredGates, 'gate')}.`] : []),
      ],
    },
    ...(brokenGates.length === 0
      ? []
      : [
          {
            title: 'Gates that held and fail now',
            columns: ['experiment', 'gate', 'expected', 'actual'],
            rows: brokenGates.map(({ experiment, name, expected, actual }) => [experiment, name, expected, actual]),
            notes: [],
          },
        ]),
  ];
}

const figure = (value: number): string => String(Number(value.toPrecision(4)));
