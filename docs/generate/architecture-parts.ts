import { svgOf } from './drawing.ts';
import type { Arrow, Box } from './drawing.ts';

/** A layer of the source tree, with its folders and a few words about each. */
interface Layer {
  readonly name: string;
  readonly parts: readonly (readonly [folder: string, ...words: string[]])[];
}

/** Layers of the source tree from top to bottom. Code of a layer imports only from layers below and from the same layer. */
const LAYERS: readonly Layer[] = [
  {
    name: 'Programs: one folder for each way to ask',
    parts: [
      ['apps/api', 'HTTP service,', 'node or worker'],
      ['apps/cli', 'the command assay,', 'editors, guard'],
      ['apps/page', 'page for browsers'],
      ['apps/library', 'package for', 'JavaScript'],
    ],
  },
  {
    name: 'Service: use cases, order, isolation',
    parts: [
      ['libs/service', 'use cases over ports'],
      ['libs/jobs', 'jobs: memory,', 'journal, Redis'],
      ['libs/runner', 'engine host, threads,', 'cancellation'],
      ['libs/telemetry', 'metrics, log, spans'],
      ['libs/http-server', 'times and limits of', 'connections'],
    ],
  },
  {
    name: 'Helpers: texts, reports, editors, studies',
    parts: [
      ['libs/documents', 'items and verdicts'],
      ['libs/cluster', 'reads an API server'],
      ['libs/editing', 'places in texts,', 'answers to editors'],
      ['libs/benchmark', 'most expensive values'],
      ['libs/report', 'texts, JUnit, SARIF,', 'charts, pages'],
    ],
  },
  {
    name: 'Engine: no file, no network, no Node',
    parts: [
      ['libs/policy', 'admission policies,', 'built-in kinds'],
      ['libs/crd', 'definitions and', 'objects'],
      ['libs/cel', 'CEL: check, price,', 'run'],
    ],
  },
  {
    name: 'Ground',
    parts: [
      ['libs/kube', 'Status, errors, minors'],
      ['libs/go', 'JSON, YAML, patterns'],
      ['libs/numbers', 'costs, shares, times', 'as texts'],
    ],
  },
];
const [WIDTH, MARGIN, GAP, HEAD, LINE, COLUMNS, BETWEEN] = [880, 16, 14, 30, 16, 4, 22] as const;
/** Index in `LAYERS` of the top layer of the engine. The service calls the layers of the engine only through threads. */
const ENGINE = 3;

/** Returns the SVG picture of the source folders, drawn as layers. */
export function architectureParts(): string {
  const boxes: Box[] = [];
  const arrows: Arrow[] = [];
  let y: number = MARGIN;
  LAYERS.forEach(({ name, parts }, i) => {
    if (i > 0) {
      const points = [
        [WIDTH / 2, y - BETWEEN],
        [WIDTH / 2, y],
      ] as const;
      const label = i === ENGINE ? 'for the service: only threads (libs/runner/src/thread)' : undefined;
      arrows.push({ points, label, labelAt: [WIDTH / 2 + 12, y - BETWEEN / 3] });
    }
    const columns = Math.min(COLUMNS, parts.length);
    const width = (WIDTH - 2 * MARGIN - (columns + 1) * GAP) / columns;
    const boxHeight = Math.max(...parts.map((part) => part.length)) * LINE + 18;
    const height = HEAD + Math.ceil(parts.length / columns) * (boxHeight + GAP);
    boxes.push({ x: MARGIN, y, width: WIDTH - 2 * MARGIN, height, name, kind: 'area' });
    parts.forEach(([folder, ...lines], j) => {
      const x = MARGIN + GAP + (j % columns) * (width + GAP);
      boxes.push({ x, y: y + HEAD + Math.floor(j / columns) * (boxHeight + GAP), width, height: boxHeight, name: folder, lines });
    });
    y += height + BETWEEN;
  });
  return svgOf({
    title: 'The parts of Assay',
    description: 'Programs import the service, helpers and the engine. Each layer imports layers below it only.',
    width: WIDTH,
    height: y - BETWEEN + MARGIN,
    boxes,
    arrows,
  });
}
