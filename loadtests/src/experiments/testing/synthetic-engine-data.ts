import { definitions } from '../definitions.ts';
import { elementSize } from '../element-size.ts';
import { listLength } from '../list-length.ts';
import { manyRules } from '../many-rules.ts';
import { nestedLists } from '../nested-lists.ts';
import { objectSize } from '../object-size.ts';
import { policies } from '../policies.ts';
import { ratcheting } from '../ratcheting.ts';
import type { CaseFigures, Line } from '../../study/study.ts';
import { made } from './made-cases.ts';
import type { CaseToMake } from './made-cases.ts';
import type { Synthesis } from './synthesis.ts';

type FigureMaker = (line: string, size: number, s: Synthesis) => Pick<CaseToMake, 'times' | 'facts'>;
type Lines = readonly Pick<Line, 'name' | 'sizes' | 'expected'>[];

/** Returns a function that creates the measured and the expected figures of lines at the sizes of a quick run. */
const dataOf =
  (lines: Lines, figuresOf: FigureMaker) =>
  (s: Synthesis): CaseFigures[] =>
    made(
      s,
      lines.flatMap(({ name, sizes, expected }) =>
        sizes.quick.map((size) => {
          const { times, facts } = figuresOf(name, size, s);
          return { line: name, size, ...(times && { times }), facts: { ...facts, ...expected?.(size) } };
        }),
      ),
    );

/**
 * Magnitudes of the times for validating an object, by name of the time. `whole` is the time of the product, `exact` the time of the exact
 * validation without a generated reader. The other names are the steps of the exact validation.
 */
const JUDGING = { whole: 10, exact: 10, parse: 1, prune: 1, openapi: 1, lists: 0.1, cel: 1 };

const lineAt = (name: string, sizes: readonly number[]) => ({ name, sizes: { quick: sizes, full: [] } });
const GO_LINES = [
  lineAt('ints-all/Go, as Kubernetes ships it', [4000, 16_000, 64_000, 256_000]),
  ...listLength.lines.filter(({ name }) => !name.includes('/')).map(({ name, sizes }) => lineAt(`Go: ${name}`, sizes.quick)),
];

const listOfLine: FigureMaker = (line, size): ReturnType<FigureMaker> => {
  if (line.includes('/')) return { times: { evaluation: 0.001 * size }, facts: { cost: 5 * size + 3 } };
  return line.startsWith('Go: ')
    ? { times: { schema: 100, [line.includes('k × 2 B') ? 'rule, extrapolated' : 'rule']: 1000 } }
    : { times: JUDGING, facts: { bytes: 3_000_000 } };
};

/**
 * Functions that create synthetic data for each experiment that consists of lines, by experiment name. The data has the type that the
 * experiment measures.
 */
export const STUDY_DATA = {
  'list-length': dataOf([...listLength.lines, ...GO_LINES], listOfLine),
  'element-size': dataOf(elementSize.lines, (_, __, s) => {
    const [actual, factor] = [s.figure(10_000), s.figure(1000)];
    return { facts: { estimated: actual * factor, actual, suggested: '500' } };
  }),
  'nested-lists': dataOf(nestedLists.lines, (line, size) =>
    line.startsWith('limits')
      ? { facts: { admitted: 1000, caught: '500' } }
      : { times: { cel: 1 }, facts: { cost: 7 * size ** Number(/\d/.exec(line)?.[0]) } },
  ),
  'many-rules': dataOf(manyRules.lines, (_, size) => ({ times: { cel: 0.01, whole: 0.1 }, facts: { cost: 5 * size } })),
  definitions: dataOf(definitions.lines, (line, _, s) =>
    line === 'resident' ? { facts: { bytes: s.figure(1e6) } } : { times: { compile: 1 } },
  ),
  'object-size': dataOf(objectSize.lines, (_, size) => ({ times: { ...JUDGING, 'JSON.parse': 1 }, facts: { bytes: 190 * size } })),
  ratcheting: dataOf(ratcheting.lines, () => ({ times: { off: 1, on: 1 } })),
  policies: dataOf(policies.lines, (line, size) => {
    return { times: { assay: 0.1 }, facts: { cost: (line === 'said anew' ? 9 : 5) * size } };
  }),
} satisfies Readonly<Record<string, (s: Synthesis) => CaseFigures[]>>;
