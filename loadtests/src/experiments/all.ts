import { batchSize } from './batch-size.ts';
import { bigBatch } from './big-batch.ts';
import { cancellation } from './cancellation.ts';
import { costTime } from './cost-time.ts';
import { definitions } from './definitions.ts';
import { elementSize } from './element-size.ts';
import { runnable } from './experiment.ts';
import type { RunnableExperiment } from './experiment.ts';
import { fairness } from './fairness.ts';
import { http } from './http.ts';
import { listLength } from './list-length.ts';
import { manyRules } from './many-rules.ts';
import { nestedLists } from './nested-lists.ts';
import { objectSize } from './object-size.ts';
import { policies } from './policies.ts';
import { ratcheting } from './ratcheting.ts';
import { replicas } from './replicas.ts';
import { scale } from './scale.ts';
import { soak } from './soak.ts';
import { streamMemory } from './stream-memory.ts';
import { tracing } from './tracing.ts';
import { whatIfMemory } from './what-if-memory.ts';

/** All experiments, in the order of the report: one question each. */
export const EXPERIMENTS: readonly RunnableExperiment[] = [
  runnable(listLength),
  runnable(elementSize),
  runnable(nestedLists),
  runnable(manyRules),
  runnable(costTime),
  runnable(definitions),
  runnable(objectSize),
  runnable(ratcheting),
  runnable(policies),
  runnable(http),
  runnable(batchSize),
  runnable(replicas),
  runnable(scale),
  runnable(cancellation),
  runnable(fairness),
  runnable(streamMemory),
  runnable(bigBatch),
  runnable(whatIfMemory),
  runnable(tracing),
  runnable(soak),
];
