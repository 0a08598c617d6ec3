import { cancellation } from './cancellation.ts';
import type { Experiment } from './experiment.ts';
import { listLength } from './list-length.ts';
import { streamMemory } from './stream-memory.ts';
import { tracing } from './tracing.ts';
import { whatIfMemory } from './what-if-memory.ts';

/** All experiments, in the order of the report: one question each. */
export const EXPERIMENTS: readonly Experiment[] = [listLength, cancellation, streamMemory, whatIfMemory, tracing];
