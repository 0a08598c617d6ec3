import { parentPort } from 'node:worker_threads';

// Parses bodies for the bare server.
parentPort?.on('message', ({ id, bytes }: { id: number; bytes: Uint8Array }) => {
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  parentPort?.postMessage({ id, members: Object.keys(value as object).length });
});
