import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClusterAddress } from './address.ts';
import { ApiReader } from './api-reader.ts';

const installed = spawnSync('openssl', ['version']).status === 0;
if (!installed)
  console.warn('openssl is not on PATH: no certificate can be made, clusters over TLS are not tested (Debian package openssl)');

const folder = mkdtempSync(join(tmpdir(), 'assay-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Pair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Creates a self-signed certificate that is valid from the beginning of 2020 to the end of `lastYear`. */
function certificate(name: string, lastYear: string): Pair {
  const at = (file: string): string => join(folder, `${name}.${file}`);
  writeFileSync(at('index'), '');
  writeFileSync(
    at('conf'),
    `[ca]
default_ca=own
[own]
database=${at('index')}
new_certs_dir=${folder}
rand_serial=yes
default_md=sha256
policy=any
x509_extensions=names
copy_extensions=copy
[any]
commonName=supplied
[names]
subjectAltName=IP:127.0.0.1
`,
  );
  const run = (words: string): void => {
    const { status, stderr } = spawnSync('openssl', words.split(' '));
    if (status !== 0) throw new Error(String(stderr));
  };
  run(`req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${name} -keyout ${at('key')} -out ${at('csr')}`);
  run(
    `ca -batch -selfsign -config ${at('conf')} -keyfile ${at('key')} -in ${at('csr')} -out ${at('crt')} -notext -startdate 200101000000Z -enddate ${lastYear}1231000000Z`,
  );
  return { cert: readFileSync(at('crt')), key: readFileSync(at('key')) };
}

/** Returns the problem that a reader reports if a server has the given certificate and responds with `code`. */
async function sentenceOf(pair: Pair, code: number, tls: ClusterAddress['tls']): Promise<string | undefined> {
  const server = createServer(pair, (_, response) => response.writeHead(code).end('{}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const reader = new ApiReader({ name: 'here', server: url, tls, proxy: undefined, credentials: { kind: 'none' }, impersonation: {} });
  const answer = await reader.get('/version');
  reader.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  return answer.ok ? undefined : answer.problem.sentence.replace(/:\d{2,}/, '');
}

describe.skipIf(!installed)('ApiReader', () => {
  const [valid, expired, other] = installed ? [certificate('valid', '40'), certificate('expired', '21'), certificate('other', '40')] : [];
  const have = (pair: Pair | undefined): Pair => pair ?? { cert: Buffer.of(), key: Buffer.of() };

  it('accepts a trusted server certificate, and reports an expired one and one of another authority', async () => {
    expect(await sentenceOf(have(valid), 200, { ca: have(valid).cert })).toBeUndefined();
    expect(await sentenceOf(have(expired), 200, { ca: have(expired).cert })).toBe(
      'here: https://127.0.0.1 shows a certificate that has expired',
    );
    expect(await sentenceOf(have(valid), 200, { ca: have(other).cert })).toBe(
      'here: https://127.0.0.1 shows a certificate of an authority that the kubeconfig does not name',
    );
    expect(await sentenceOf(have(expired), 200, { rejectUnauthorized: false })).toBeUndefined();
  });

  it('reports an expired client certificate if the server rejects it with 401', async () => {
    const tls = { ca: have(valid).cert, ...have(expired) };
    expect(await sentenceOf(have(valid), 401, tls)).toMatch(
      /^here: the server does not know who asks \(401\): its client certificate expired on Dec 31 .* 2021 GMT$/,
    );
  });
});
