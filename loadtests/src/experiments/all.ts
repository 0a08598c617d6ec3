import { batchSize } from './batch-size.ts';
import { cancellation } from './cancellation.ts';
import { definitions } from './definitions.ts';
import { elementSize } from './element-size.ts';
import type { Experiment } from './experiment.ts';
import { fairness } from './fairness.ts';
import { http } from './http.ts';
import { listLength } from './list-length.ts';
import { manyRules } from './many-rules.ts';
import { memory } from './memory.ts';
import { nestedLists } from './nested-lists.ts';
import { objectSize } from './object-size.ts';
import { policies } from './policies.ts';
import { ratcheting } from './ratcheting.ts';
import { realServer } from './real-server.ts';
import { replicas } from './replicas.ts';
import { tracing } from './tracing.ts';

/** All experiments by name, in the order of the report. Each experiment answers one question. */
export const ALL = {
  'list-length': listLength,
  'element-size': elementSize,
  'nested-lists': nestedLists,
  'many-rules': manyRules,
  definitions,
  'object-size': objectSize,
  ratcheting,
  policies,
  http,
  'batch-size': batchSize,
  replicas,
  cancellation,
  fairness,
  memory,
  tracing,
  'real-server': realServer,
} as const;

/** All experiments, without the types of their data. */
export const EXPERIMENTS: readonly Experiment<unknown>[] = Object.values(ALL);
