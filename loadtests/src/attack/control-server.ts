import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A separate process that only answers. If it is late, the machine is busy.
const server = createServer((_, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => process.stdout.write(`control listens on ${(server.address() as AddressInfo).port}\n`));
