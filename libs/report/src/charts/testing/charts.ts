import type { Chart } from '../chart.ts';

const prose = { title: 'Found <this> & that', subtitle: 'what `is` drawn', reading: 'how to read', notShown: 'all else' };
const points = [1000, 10_000, 100_000].map((x) => ({ x, y: x / 1e6 }));
/** Charts for tests, one of each kind. */
export const CHARTS: readonly Chart[] = [
  {
    kind: 'scaling',
    id: 'scaling',
    ...prose,
    x: { label: 'n', unit: 'count' },
    y: { label: 'time', unit: 'ms' },
    series: [{ name: 'a <b>', role: 'assay', points, extrapolated: [{ x: 1e6, y: 1 }] }],
    bands: [
      {
        name: 'claim',
        points: [
          { x: 1000, lo: 0.001, hi: 0.01 },
          { x: 1e6, lo: 1, hi: 10 },
        ],
      },
    ],
    verticals: [{ x: 2e5, label: 'limit' }],
    horizontals: [{ y: 0.1, label: 'bound' }],
  },
  {
    kind: 'steps',
    id: 'steps',
    ...prose,
    from: Date.UTC(2025, 0, 1),
    to: Date.UTC(2026, 0, 1),
    y: { label: 'share of the limit', unit: 'percent' },
    series: [
      {
        name: 'a <b>',
        role: 'assay',
        points: [
          { time: Date.UTC(2025, 0, 1), y: 1 },
          { time: Date.UTC(2025, 5, 1), y: 40 },
        ],
      },
      { name: 'gone', role: 'peer', points: [{ time: Date.UTC(2025, 2, 1), y: 0.01 }], end: Date.UTC(2025, 8, 1) },
    ],
    horizontals: [{ y: 100, label: 'limit' }],
  },
  {
    kind: 'dots',
    id: 'dots',
    ...prose,
    x: { label: 'time', unit: 'ns' },
    rows: [
      {
        name: 'rule',
        values: [
          { series: 'a', role: 'assay', value: 1, lo: 0.9, hi: 1.2 },
          { series: 'b', role: 'peer', value: 90 },
        ],
      },
    ],
  },
  {
    kind: 'cloud',
    id: 'cloud',
    ...prose,
    x: { label: 'cost', unit: 'units' },
    y: { label: 'time', unit: 'ns' },
    groups: [
      {
        name: 'rules',
        role: 'assay',
        points: [
          [10, 100],
          [1000, 9000],
        ],
      },
    ],
    outliers: [{ x: 1000, y: 9000, name: 'far' }],
    diagonals: [{ factor: 10, label: '10 ns a unit' }],
  },
  {
    kind: 'changes',
    id: 'changes',
    ...prose,
    x: { label: 'time', unit: 'ms' },
    from: 'off',
    to: 'on',
    wanted: 1.05,
    rows: [{ name: 'valid', from: 10, to: 10.4, ratio: 1.04, lo: 1.01, hi: 1.06 }],
  },
];
