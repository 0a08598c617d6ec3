// Serves bull-board, a dashboard of BullMQ: the jobs of a fleet with their flow, size, progress, attempts and failures. It only reads.
// Assay does not depend on bull-board, so the first call installs it below node_modules/.cache.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programArguments, wrongArguments } from '../testing/program-arguments.ts';
import { installApart } from './install-apart.mjs';

const USAGE = `usage: ASSAY_REDIS_URL=redis://HOST:PORT npm run dashboard [-- --port 3001]

Serves the jobs of a fleet (asynchronous evaluations and studies) on a page at 127.0.0.1. Exit code: 2 wrong usage, 3 bull-board or Redis is not there.
`;
/** Packages of bull-board. npm installs no peers for a tool, so the page (`ui`) stands here, too. */
const PACKAGES = ['@bull-board/api@9.10.2', '@bull-board/fastify@9.10.1', '@bull-board/ui@9.10.2'];
const QUEUES = ['jobs-exempt', 'jobs-high', 'jobs-normal', 'jobs-low', 'jobs-study'];

const { port } = programArguments(USAGE, { port: { type: 'string', default: '3001' } }).values;
const address = process.env['ASSAY_REDIS_URL'];
if (address === undefined) wrongArguments('ASSAY_REDIS_URL is not set', USAGE);
if (!/^\d{1,5}$/.test(port)) wrongArguments(`--port must be a number such as 3001, not ${JSON.stringify(port)}`, USAGE);

const folder = installApart('dashboard', PACKAGES);
if (folder === undefined) process.exit(3);
/** Imports a module of a package from the folder in which bull-board is installed. */
const load = (name) => import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href);
const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }, { default: fastify }, { Queue }, { Redis }] = await Promise.all([
  load('@bull-board/api'),
  load('@bull-board/api/bullMQAdapter'),
  load('@bull-board/fastify'),
  import('fastify'),
  import('bullmq'),
  import('ioredis'),
]);

const connection = new Redis(address, { maxRetriesPerRequest: 1, lazyConnect: true });
connection.on('error', () => undefined);
try {
  await connection.connect();
} catch (error) {
  process.stderr.write(`Redis does not answer: ${error.message}\n`);
  process.exit(3);
}
const serverAdapter = new FastifyAdapter();
const queues = QUEUES.map((name) => new BullMQAdapter(new Queue(name, { connection, prefix: '{assay}:bull' }), { readOnlyMode: true }));
createBullBoard({ queues, serverAdapter, options: { uiConfig: { boardTitle: 'Assay' } } });
const app = fastify();
await app.register(serverAdapter.registerPlugin());
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.stdout.write(`The jobs are on http://127.0.0.1:${port}\n`);
