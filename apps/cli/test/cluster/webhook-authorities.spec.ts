import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issueCertificate } from '../../src/commands/guard/certificate/issue-certificate.ts';
import { answerStatus, FakeApiServer } from '../../../../libs/cluster/testing/fake-api-server.ts';
import { addWebhookAuthority, ApiWriter } from '#cluster';
import { bundleWith } from '../../../../libs/cluster/src/webhook-authorities.ts';

const OURS = 'assay guard self-made';
const DAY = 24 * 3_600_000;
const authority = (lifetimeMs = DAY, now = Date.now()): string => issueCertificate(['a.example.com'], lifetimeMs, now).authority;
const subjects = (bundle: string): string[] =>
  (bundle.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((pem) => new X509Certificate(pem).subject);

describe('a bundle of CA certificates for webhooks', () => {
  it('keeps valid certificates, and loses expired and invalid ones', () => {
    const [kept, expired, added] = [authority(), authority(DAY, Date.now() - 2 * DAY), authority()];
    const made = bundleWith(`${kept}${expired}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`, {
      authority: added,
      namePrefix: OURS,
    });
    expect(subjects(made)).toEqual([kept, added].flatMap(subjects));
  });

  it("keeps the newest 16 of Assay's own certificates, and all others", () => {
    const many = Array.from({ length: 20 }, () => authority());
    const ours = bundleWith(many.join(''), { authority: authority(), namePrefix: OURS });
    expect(subjects(ours)).toHaveLength(16);
    expect(subjects(ours).slice(0, -1)).toEqual(many.slice(5).flatMap(subjects));
    expect(subjects(bundleWith(many.join(''), { authority: authority(), namePrefix: 'another' }))).toHaveLength(21);
  });
});

describe('adding a new CA certificate', () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  let server: FakeApiServer;
  let writer: ApiWriter;
  const patches: unknown[] = [];

  beforeEach(async () => {
    patches.length = 0;
    const clientConfig = { service: { name: 'a', namespace: 'a' } };
    const configuration = { metadata: { name: 'mine', resourceVersion: '7' }, webhooks: [{ clientConfig }, { clientConfig }] };
    server = await FakeApiServer.start({ [path]: [configuration, { metadata: { name: 'empty', resourceVersion: '1' } }] });
    server.always.push((request, response) => {
      if (request.method !== 'PATCH') return false;
      let text = '';
      request.on('data', (block) => (text += String(block)));
      request.on('end', () => {
        patches.push(JSON.parse(text));
        if (patches.length === 1) answerStatus(response, 409, 'Conflict', 'the object has been modified');
        else response.writeHead(200, { 'content-type': request.headers['content-type'] }).end('{}');
      });
      return true;
    });
    writer = new ApiWriter(server.address);
  });
  afterEach(async () => {
    writer.close();
    await server.stop();
  });

  it('changes all webhooks of the configuration, and reads the configuration again after a conflict (409)', async () => {
    const added = authority();
    expect(await addWebhookAuthority(writer, { configuration: 'mine', authority: added, namePrefix: OURS })).toMatchObject({ ok: true });
    expect(server.requests.map((line) => line.split(' ')[0])).toEqual(['GET', 'PATCH', 'GET', 'PATCH']);
    const value = Buffer.from(`${added.trim()}\n`).toString('base64');
    expect(patches[1]).toEqual([
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value },
      { op: 'add', path: '/webhooks/1/clientConfig/caBundle', value },
    ]);
  });

  it('is an error if the configuration does not exist or has no webhook', async () => {
    const requested = { authority: authority(), namePrefix: OURS };
    const problem = async (configuration: string) => {
      const answer = await addWebhookAuthority(writer, { ...requested, configuration });
      return answer.ok ? undefined : answer.problem.kind;
    };
    expect(await problem('empty')).toBe('failed');
    expect(await problem('absent')).toBe('missing');
    expect(patches).toEqual([]);
  });
});
