import { describeLateClients } from '../../../../libs/http-server/testing/late-clients.ts';
import type { LateServer } from '../../../../libs/http-server/testing/late-clients.ts';
import { issueCertificate } from '../../src/commands/guard/certificate/issue-certificate.ts';
import type { Guard } from '../../src/commands/guard/guard.ts';
import { GUARD_SERVER_LIMITS, GuardServer } from '../../src/commands/guard/guard-server.ts';

const pair = issueCertificate(['localhost', '127.0.0.1'], 3_600_000);

const guard = (isEncrypted: boolean): LateServer => ({
  name: `the guard${isEncrypted ? ' over TLS' : ''}`,
  isEncrypted,
  speaksHttp2: false,
  posts: '/guard',
  start: async ({ bodyMs, ...times }, connections) => {
    const limits = { ...GUARD_SERVER_LIMITS, ...times, connections, requestMs: bodyMs, graceMs: 300 };
    const certificate = isEncrypted ? { pair, onReplaced: undefined, close: () => undefined } : undefined;
    const neverAsked = undefined as unknown as Guard;
    const server = new GuardServer({ guard: neverAsked, judgeObject: undefined }, certificate, () => undefined, limits);
    return { port: await server.listen({ host: '127.0.0.1', port: 0 }), close: () => server.close() };
  },
});

describeLateClients([guard(false), guard(true)]);
