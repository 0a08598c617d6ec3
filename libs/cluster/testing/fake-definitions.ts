import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { answerJson, answerStatus } from './fake-api-server.ts';
import type { Answering } from './fake-api-server.ts';

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
