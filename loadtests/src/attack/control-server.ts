import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A process of its own that does nothing but answer: where it is late, the machine is.
const server = createServer((_, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => process.stdout.write(`control listens on ${(server.address() as AddressInfo).port}\n`));
