import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { ClusterAddress } from '../src/address.ts';

/** Function that answers a request and returns true. If it returns `false`, the request is passed to the next function. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Objects of a {@link FakeApiServer}, by the path of their resource. */
export type Stored = Readonly<Record<string, readonly object[]>>;

/**
 * Fake API server without validation. It lists the given objects in pages and returns single objects by name. Tests can override its
 * answers.
 */
export class FakeApiServer {
  /** All requests in order, each as `METHOD path?query`. */
  readonly requests: string[] = [];
  /**
   * Functions that are tried in order after `always` and before the default answer. A function is removed after it has answered one
   * request.
   */
  readonly once: Answering[] = [];
  /** Functions that are tried first for every request. They are never removed. */
  readonly always: Answering[] = [];
  readonly #server: Server;
  readonly #stored: Stored;

  private constructor(stored: Stored) {
    this.#stored = stored;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(stored: Stored): Promise<FakeApiServer> {
    const fake = new FakeApiServer(stored);
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get address(): ClusterAddress {
    return {
      name: 'fake',
      server: new URL(`${this.url}/`),
      tls: {},
      proxy: undefined,
      credentials: { kind: 'none' },
      impersonation: {},
    };
  }

  /** Kubeconfig whose only context refers to this server. */
  get kubeconfig(): string {
    return JSON.stringify({
      clusters: [{ name: 'fake', cluster: { server: this.url } }],
      users: [{ name: 'me', user: { token: 'secret' } }],
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'me' } }],
      'current-context': 'fake',
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(`${request.method} ${request.url}`);
    if (this.always.some((answering) => answering(request, response))) return;
    const place = this.once.findIndex((answering) => answering(request, response));
    if (place >= 0) {
      this.once.splice(place, 1);
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const listed = this.#stored[pathname];
    const one = this.#objectAt(pathname);
    if (pathname === '/version') return answerJson(response, 200, { major: '1', minor: '36', gitVersion: 'v1.36.1' });
    if (one) return answerJson(response, 200, one);
    if (!listed) {
      answerStatus(response, 404, 'NotFound', 'the server could not find the requested resource');
      return;
    }
    const from = Number(searchParams.get('continue') ?? 0);
    const to = from + Number(searchParams.get('limit') ?? Infinity);
    const metadata = to < listed.length ? { continue: String(to), remainingItemCount: listed.length - to } : {};
    return answerJson(response, 200, { kind: 'List', apiVersion: 'v1', metadata, items: listed.slice(from, to) });
  }

  /** Returns the object at `/…/resource/name` or `/…/namespaces/namespace/resource/name`. */
  #objectAt(path: string): object | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const resource = path.slice(0, path.lastIndexOf('/')).replace(/\/namespaces\/[^/]+(?=\/)/, '');
    return this.#stored[resource]?.find((object) => (object as { metadata?: { name?: string } }).metadata?.name === name);
  }
}

/** Sends a response with a JSON document. */
export function answerJson(response: ServerResponse, code: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Sends a response with a Status that reports a failure. */
export function answerStatus(response: ServerResponse, code: number, reason: string, message: string): true {
  answerJson(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code });
  return true;
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const sentDefinition = z.looseObject({
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
  spec: z.looseObject({ group: z.string() }),
});
const deleteOptions = z.object({ preconditions: z.object({ uid: z.string().optional() }).optional() });

/** Definition as the fake stores it. */
export interface FakeDefinition {
  readonly metadata: { readonly name: string; readonly uid: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly group: string };
  readonly status?: { readonly conditions: readonly object[] };
}

/**
 * Fake of a server's definitions: it creates, reads, lists and deletes them, and answers dry runs of their objects. Tests add `answer` to the
 * functions of a fake API server.
 */
export class FakeDefinitions {
  /** Definitions that exist, by name. */
  readonly stored = new Map<string, FakeDefinition>();
  /** Bodies of all requests with a body, in order. */
  readonly bodies: string[] = [];
  /** Time in ms after which a dry run of an object is answered. */
  delayOf: (definition: FakeDefinition) => number = () => 0;
  #next = 1;

  readonly answer: Answering = (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://fake');
    if (pathname.startsWith(DEFINITIONS)) {
      void this.#answerDefinitions(request, response, pathname.slice(DEFINITIONS.length + 1));
      return true;
    }
    const group = /^\/apis\/([^/]+)\//.exec(pathname)?.[1];
    const definition = [...this.stored.values()].find(({ spec }) => spec.group === group);
    if (request.method !== 'POST' || definition === undefined) return false;
    void this.#body(request).then((body) =>
      setTimeout(() => response.writeHead(201, { 'content-type': 'application/json' }).end(body), this.delayOf(definition)),
    );
    return true;
  };

  async #answerDefinitions(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const one = this.stored.get(name);
    if (request.method === 'POST') {
      const sent = sentDefinition.parse(JSON.parse(await this.#body(request)));
      const conditions = [
        { type: 'NamesAccepted', status: 'True' },
        { type: 'Established', status: 'True' },
      ];
      this.stored.set(sent.metadata.name, {
        ...sent,
        metadata: { ...sent.metadata, uid: `uid-${this.#next++}` },
        status: { conditions },
      });
      answerJson(response, 201, sent);
    } else if (name === '') answerJson(response, 200, { items: [...this.stored.values()] });
    else if (one === undefined) answerStatus(response, 404, 'NotFound', `"${name}" not found`);
    else if (request.method === 'DELETE') {
      const { preconditions } = deleteOptions.parse(JSON.parse((await this.#body(request)) || '{}'));
      if (preconditions?.uid !== undefined && preconditions.uid !== one.metadata.uid)
        answerStatus(response, 409, 'Conflict', 'another uid');
      else {
        this.stored.delete(name);
        answerJson(response, 200, { kind: 'Status', status: 'Success' });
      }
    } else answerJson(response, 200, one);
  }

  async #body(request: IncomingMessage): Promise<string> {
    let text = '';
    for await (const part of request) text += String(part);
    this.bodies.push(text);
    return text;
  }
}
