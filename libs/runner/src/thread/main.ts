import { getHeapStatistics } from 'node:v8';
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { CancellationBoard } from '../cancellation-board.ts';
import type { ThreadData, ThreadRequest } from '../protocol.ts';
import { UrgentWork } from '../urgent-work.ts';
import { WorkPerformer } from './perform.ts';
import { TaskRunner } from './task-runner.ts';

/** Returns the CPU time of this thread, in ms. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Program of a thread. Only threads load the engine. */
if (parentPort) {
  const gauges = {
    heapUsed: () => getHeapStatistics().used_heap_size,
    // Node before 22.15 lacks this function.
    ...('threadCpuUsage' in process && { cpuMs }),
  };
  const performer = new WorkPerformer(gauges, `${process.pid}/${threadId}`);
  const { board, urgent } = workerData as ThreadData;
  const runner = new TaskRunner(parentPort, { board: new CancellationBoard(board), urgent: new UrgentWork(urgent) }, performer);
  parentPort.on('message', (request: ThreadRequest) => runner.onMessage(request));
}
