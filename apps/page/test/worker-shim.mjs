// Runs the page's built worker in a thread of Node. It defines the few globals of a browser worker that the worker uses.
import { parentPort, workerData } from 'node:worker_threads';

Object.assign(globalThis, {
  self: globalThis,
  name: workerData.name,
  postMessage: (message) => parentPort.postMessage(message),
  addEventListener: (_, listen) => parentPort.on('message', (data) => listen({ data })),
});
await import(workerData.script);
