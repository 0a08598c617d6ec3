import type { FastifyRequest } from 'fastify';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { ApiConfig } from '../config.ts';
import { namedClient } from './client.ts';
import { NO_CREDENTIAL } from './identify.ts';
import type { Identification, IdentityProvider } from './identify.ts';
import { DEFAULT_ROLES, ROLES } from './roles.ts';

/**
 * Identity provider for client certificates. The TLS handshake has already verified the issuing authority. The common name is the name of
 * the client, and the organizations are the groups, as in the API server. A group `assay:<role>` grants that role. A client without such a
 * group has the role `evaluate`. Source: k8s.io/apiserver/pkg/authentication/request/x509 (1.37).
 */
export class ClientCertificates implements IdentityProvider {
  readonly #config: ApiConfig;

  constructor(config: ApiConfig) {
    this.#config = config;
  }

  identify(request: FastifyRequest): Identification {
    const socket = request.raw.socket as Partial<TLSSocket>;
    if (socket.getPeerCertificate === undefined || socket.authorized !== true) return NO_CREDENTIAL;
    const subject = (socket.getPeerCertificate() as Partial<DetailedPeerCertificate>).subject;
    const name = subject && [subject.CN].flat()[0];
    if (name === undefined || name === '') return { kind: 'rejected', why: 'the certificate names nobody' };
    const groups = [subject?.O ?? []].flat();
    const roles = ROLES.filter((role) => groups.includes(`assay:${role}`));
    return { kind: 'identified', client: namedClient(`cert:${name}`, roles.length > 0 ? roles : DEFAULT_ROLES, this.#config) };
  }
}
