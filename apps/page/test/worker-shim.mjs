// Lets the page's built worker run in a thread of Node: the few names of a browser's worker that it uses.
import { parentPort, workerData } from 'node:worker_threads';

Object.assign(globalThis, {
  self: globalThis,
  name: workerData.name,
  postMessage: (message) => parentPort.postMessage(message),
  addEventListener: (_, listen) => parentPort.on('message', (data) => listen({ data })),
});
await import(workerData.script);
