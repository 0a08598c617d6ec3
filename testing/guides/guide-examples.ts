/** Change of the project for the example of a guide: a new file, or a text that stands before an anchor in a file. */
export type Change =
  | { readonly file: string; readonly content: string }
  | { readonly file: string; readonly before: string; readonly insert: string };

/** Example of a guide of docs/contributing. */
export interface GuideExample {
  /** Name of the guide's file. */
  readonly guide: string;
  /** Returns the changes. Gets the blocks of TypeScript and of text in the guide, in their order. */
  readonly changes: (blocks: readonly string[]) => readonly Change[];
  /** Specs that the guide names. Folders are possible, too. */
  readonly specs: readonly string[];
}

/** Beginning of the example's file that the guide leaves out: imports, and a check of values that refuses nothing. */
const TERM_STEPS = `import { KINDS } from '../object/openapi/kind.ts';
import { SIZE } from './forms/scalar-forms.ts';
import type { KeywordFamily } from './keyword.ts';

const steps: NonNullable<KeywordFamily<TermKeywords>['validator']>['steps'] = () => [];

`;

/** Imports that a controller in a folder of `apps/api/src` needs. The guide says where to copy them from. */
const CONTROLLER_IMPORTS = `import { HttpCode, Inject, Post } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { countAnswer } from '#documents';
import { answered } from '#service';
import { HttpExchange } from '../answer-use-case.ts';
import type { Exchange } from '../answer-use-case.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { Endpoints } from '../description/endpoints.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

`;

const first = (blocks: readonly string[], index: number): string => blocks[index] ?? '';

/** Examples of all guides that contain code. */
export const GUIDE_EXAMPLES: readonly GuideExample[] = [
  {
    guide: 'add-a-function.md',
    changes: (blocks) => [{ file: 'libs/cel/src/library/extensions/sets.ts', before: '];\n', insert: first(blocks, 0) }],
    specs: ['libs/cel/src/library', 'libs/cel/src/minors.spec.ts'],
  },
  {
    guide: 'add-a-keyword.md',
    changes: (blocks) => [
      { file: 'libs/crd/src/keywords/terms.ts', content: TERM_STEPS + first(blocks, 0) },
      { file: 'libs/crd/src/keywords/all.ts', before: 'import { texts }', insert: "import { terms } from './terms.ts';\n" },
      { file: 'libs/crd/src/keywords/all.ts', before: '  formats,\n', insert: '  terms,\n' },
    ],
    specs: ['libs/crd/src/keywords', 'libs/crd/src/schema', 'libs/crd/src/diff', 'libs/crd/src/structural'],
  },
  {
    guide: 'add-an-advice.md',
    changes: (blocks) => [
      { file: 'libs/crd/src/advice/kinds/constant-rule.ts', content: first(blocks, 0) },
      { file: 'libs/crd/src/advice/all-kinds.ts', before: 'import ', insert: "import { constantRule } from './kinds/constant-rule.ts';\n" },
      { file: 'libs/crd/src/advice/all-kinds.ts', before: '  uniqueList,\n', insert: '  constantRule,\n' },
      { file: 'libs/documents/src/explanation/advice-ids.ts', before: "  'unique-list',\n", insert: "  'constant-rule',\n" },
    ],
    specs: ['libs/crd/src/advice'],
  },
  {
    guide: 'add-an-endpoint.md',
    changes: (blocks) => [
      { file: 'libs/documents/src/count.ts', content: `import { z } from 'zod';\n\n${first(blocks, 0)}` },
      { file: 'libs/documents/src/index.ts', before: 'export ', insert: "export { countAnswer } from './count.ts';\n" },
      { file: 'apps/api/src/count/count.controller.ts', content: CONTROLLER_IMPORTS + first(blocks, 1) },
      { file: 'apps/api/src/description/endpoints.ts', before: '  watching:', insert: "  count: 'The number of documents',\n" },
      { file: 'apps/api/src/create-api.ts', before: 'import ', insert: "import { CountController } from './count/count.controller.ts';\n" },
      { file: 'apps/api/src/create-api.ts', before: '  AdmissionController,\n];', insert: '  CountController,\n' },
    ],
    specs: ['apps/api/test/description.spec.ts'],
  },
  {
    guide: 'add-an-experiment.md',
    changes: (blocks) => [
      { file: 'loadtests/src/experiments/map-size.ts', content: first(blocks, 0) },
      { file: 'loadtests/src/experiments/all.ts', before: 'import ', insert: "import { mapSize } from './map-size.ts';\n" },
      { file: 'loadtests/src/experiments/all.ts', before: '  definitions,\n', insert: first(blocks, 1) },
      {
        file: 'loadtests/src/experiments/testing/synthetic-engine-data.ts',
        before: 'import ',
        insert: "import { mapSize } from '../map-size.ts';\n",
      },
      { file: 'loadtests/src/experiments/testing/synthetic-engine-data.ts', before: '  definitions: ', insert: first(blocks, 2) },
    ],
    specs: ['loadtests/src/experiments/partial-runs.spec.ts'],
  },
  {
    guide: 'add-an-output-format.md',
    changes: (blocks) => [
      { file: 'apps/cli/src/commands/evaluate/report/csv.ts', content: first(blocks, 0) },
      { file: 'apps/cli/src/commands/evaluate/report/all-reports.ts', before: '  table: async', insert: first(blocks, 1) },
    ],
    specs: ['apps/cli/test/hostile-text.spec.ts'],
  },
  {
    guide: 'add-a-metric.md',
    changes: (blocks) => [
      { file: 'libs/telemetry/src/metrics.ts', before: '  objects: new Counter(', insert: first(blocks, 0) },
      { file: 'libs/service/src/run/record-run.ts', before: '  counters.celCost.add(', insert: first(blocks, 1) },
      { file: 'docs/reference/metrics.md', before: '| `assay_evaluations_total` |', insert: first(blocks, 2) },
    ],
    specs: ['libs/telemetry'],
  },
  {
    guide: 'add-a-setting.md',
    changes: (blocks) => [
      {
        file: 'apps/api/src/settings/table.ts',
        before: "    unreadMs: kind.milliseconds('ASSAY_IDLE_ANSWER_MS'",
        insert: first(blocks, 0),
      },
    ],
    specs: ['apps/api/src/settings'],
  },
];
