import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLateClients } from '../../../libs/http-server/testing/late-clients.ts';
import type { LateServer } from '../../../libs/http-server/testing/late-clients.ts';
import { canSign, selfSigned } from '../../../testing/self-signed.ts';
import { readApiConfig } from '../src/config.ts';
import { createApi } from '../src/create-api.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { shareEngine } from './shared-engine.ts';
import { thorough } from '../../../testing/thorough.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-late-'));

const api = (isEncrypted: boolean): LateServer => ({
  name: `the API${isEncrypted ? ' over TLS' : ''}`,
  isEncrypted,
  speaksHttp2: isEncrypted,
  posts: '/evaluate',
  start: async ({ bodyMs, ...times }, most) => {
    const { cert, key } = isEncrypted ? selfSigned(folder, 'server') : {};
    const variables = {
      ASSAY_JOURNAL: join(mkdtempSync(join(folder, 'journal-')), 'journal.sqlite'),
      ASSAY_THREADS: '1',
      ASSAY_BODY_TIMEOUT_MS: String(bodyMs),
      ASSAY_MAX_CONNECTIONS: String(most),
      ASSAY_MAX_LOOP_DELAY_MS: '0',
      ...(cert && { ASSAY_TLS_CERT_FILE: cert, ASSAY_TLS_KEY_FILE: key }),
    };
    const config = readApiConfig(variables);
    const app = await createApi({ ...config, serverTimes: times });
    shareEngine(app.get<Service>(SERVICE).host, config.threadHeapMb);
    await app.listen(0, '127.0.0.1');
    return { port: Number(new URL(await app.getUrl()).port), close: () => app.close() };
  },
});

// A server with TLS has all stages of a server without TLS. So a normal run tests only the server with TLS if it can sign certificates.
describeLateClients([...(thorough || !canSign ? [api(false)] : []), ...(canSign ? [api(true)] : [])]);
