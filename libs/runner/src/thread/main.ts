import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PieceBoard } from '../piece-board.ts';
import type { SharedBoard } from '../piece-board.ts';
import type { ThreadRequest } from '../protocol.ts';
import { WorkPerformer } from './perform.ts';
import { PieceRunner } from './piece-runner.ts';

/** A thread: the only place where the engine is loaded. */
if (parentPort) {
  const performer = new WorkPerformer(() => getHeapStatistics().used_heap_size);
  const runner = new PieceRunner(parentPort, new PieceBoard(workerData as SharedBoard), performer);
  parentPort.on('message', (request: ThreadRequest) => runner.hear(request));
}
