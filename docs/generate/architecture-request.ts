import { svgOf } from './drawing.ts';
import type { Arrow, Box } from './drawing.ts';

/**
 * Step in the generated picture of one request, with its column (`lane`), row, name and lines of text. The table in
 * docs/contributing/architecture.md numbers the source files. The name begins with the numbers of the files that implement the step.
 */
interface Step {
  readonly lane: 0 | 1 | 2;
  readonly row: number;
  readonly name: string;
  readonly lines: readonly string[];
}

/** Steps of a request in order. An arrow is drawn from each step to the next. */
const STEPS: readonly Step[] = [
  { lane: 0, row: 0, name: '1–5 receive', lines: ['who asks and how often,', 'bytes of the body, options'] },
  { lane: 0, row: 1, name: '6–7 read documents', lines: ['JSON is cut, not parsed;', 'a thread reads YAML'] },
  { lane: 0, row: 2, name: '8–10 prepare', lines: ['judge definitions once,', 'cut objects into runs'] },
  { lane: 0, row: 3, name: '11–12 evaluate runs', lines: ['in order, within the', 'budget and the deadline'] },
  { lane: 0, row: 4, name: '13–14 wait for a turn', lines: ['fair queue by flow,', 'bounds of each flow'] },
  { lane: 1, row: 4, name: '15–17 assign', lines: ['frames over a pipe,', 'an idle thread gets it'] },
  { lane: 2, row: 4, name: '18–20 a thread judges', lines: ['object by object; ended', 'if it does not stop'] },
  { lane: 0, row: 5, name: '21 answer', lines: ['verdicts in input order,', 'JSON or NDJSON'] },
];
const [MARGIN, BOX, WIDE, ROW, TOP, LANE] = [16, 72, 220, 108, 52, 284] as const;
const [WIDTH, HEIGHT] = [2 * LANE + WIDE + 2 * MARGIN + 28, TOP + 6 * ROW] as const;
/** Distance in pixels by which the Redis box is raised above its row, because the box of the engine host is close below. */
const RAISED = 22;
const leftOf = (lane: number): number => MARGIN + 14 + lane * LANE;
const topOf = (row: number): number => TOP + row * ROW;

/** Returns the SVG picture of how `POST /evaluate` passes through the processes. */
export function architectureRequest(): string {
  const area = (lane: number, lanes: number, top: number, bottom: number, name: string): Box => ({
    x: leftOf(lane) - 14,
    y: topOf(top) - 36,
    width: (lanes - 1) * LANE + WIDE + 28,
    height: (bottom - top) * ROW + 22,
    name,
    kind: 'area',
  });
  const processes = [area(0, 1, 0, 6, 'Process of the service'), area(1, 2, 4, 5, 'Process of the engine host, with its threads')];
  const steps = STEPS.map(({ lane, row, ...words }): Box => ({ x: leftOf(lane), y: topOf(row), width: WIDE, height: BOX, ...words }));
  const redis: Box = {
    x: leftOf(1),
    y: topOf(3) - RAISED,
    width: WIDE,
    height: BOX,
    name: 'Redis, in a fleet',
    lines: ['asynchronous evaluations,', 'and runs for other nodes'],
    kind: 'outside',
  };
  const toRedis: Arrow = {
    points: [
      [leftOf(0) + WIDE, topOf(3) + BOX / 2 - RAISED],
      [leftOf(1), topOf(3) + BOX / 2 - RAISED],
    ],
    dashed: true,
  };
  const ways = STEPS.slice(1).map((to, i) => wayBetween(STEPS[i] as Step, to));
  return svgOf({
    title: 'The way of POST /evaluate',
    description: STEPS.map(({ name, lines }) => `${name}: ${lines.join(' ')}`).join('. '),
    width: WIDTH,
    height: HEIGHT,
    boxes: [...processes, ...steps, redis],
    arrows: [...ways, toRedis],
  });
}

function wayBetween(from: Step, to: Step): Arrow {
  const middle = (lane: number): number => leftOf(lane) + WIDE / 2;
  if (from.lane === to.lane)
    return {
      points: [
        [middle(from.lane), topOf(from.row) + BOX],
        [middle(to.lane), topOf(to.row)],
      ],
    };
  if (from.row === to.row)
    return {
      points: [
        [leftOf(from.lane) + WIDE, topOf(from.row) + BOX / 2],
        [leftOf(to.lane), topOf(to.row) + BOX / 2],
      ],
    };
  const y = topOf(to.row) + BOX / 2;
  return {
    points: [
      [middle(from.lane), topOf(from.row) + BOX],
      [middle(from.lane), y],
      [leftOf(to.lane) + WIDE, y],
    ],
  };
}
