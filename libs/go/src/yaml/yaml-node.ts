import type { CancellationToken } from '../cancellation.ts';
import { Cursor } from './cursor.ts';
import { EventReader } from './event-reader.ts';
import { Scanner } from './scanner.ts';
import { readSource } from './source-text.ts';
import type { Mark } from './token.ts';
import { YamlError } from './yaml-error.ts';

/** Scalar node whose type is not determined yet. */
export interface ScalarNode extends Mark {
  readonly kind: 'scalar';
  /** Complete tag of the scalar. Empty if there is none. */
  readonly tag: string;
  /** True if the text of the scalar determines its type, because there is no explicit tag. */
  readonly implicit: boolean;
  readonly text: string;
}

/** Sequence node with its items. */
export interface SequenceNode extends Mark {
  readonly kind: 'sequence';
  readonly children: YamlNode[];
}

/** Mapping node. `children` contains the keys and values alternately. */
export interface MappingNode extends Mark {
  readonly kind: 'mapping';
  readonly children: YamlNode[];
}

/** Alias node: a reference to an earlier node with an anchor. */
export interface AliasNode extends Mark {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: ScalarNode | SequenceNode | MappingNode;
}

/**
 * Node of a document, with the position of its first character. If the node has an anchor or tag, this is the first character of the anchor
 * or tag.
 */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/**
 * Result of parsing a document: its root, or an error text without the prefix `yaml: `. The root is undefined if the stream contains no
 * document.
 */
export type YamlDocument =
  | {
      readonly ok: true;
      readonly root: YamlNode | undefined;
      /** Rest of the text. Undefined if no other document follows. */
      readonly rest: YamlRest | undefined;
    }
  | {
      readonly ok: false;
      readonly error: string;
      /** Line of the error, from 1, or 0 if the line is unknown. */
      readonly line: number;
    };

/** Rest of a text after its first document, in which at least one more document begins. */
export interface YamlRest {
  /** Offset of the first token after the first document, in UTF-16 code units of the text without its byte order mark. */
  readonly offset: number;
  /** Line on which the second document begins, from 0. */
  readonly line: number;
}

/**
 * Parses the first document of a stream. Like go-yaml, it reads the stream up to the first token after the document. Throws `Cancelled` if
 * the token is cancelled. Source: go.yaml.in/yaml/v2 decode.go `parser.parse`.
 */
export function parseYamlDocument(input: Uint8Array | string, token?: CancellationToken): YamlDocument {
  const events = new EventReader(new Scanner(new Cursor(readSource(input), token)));
  try {
    const root = compose(events);
    const { offset, isStreamEnd } = events.position;
    if (isStreamEnd) return { ok: true, root, rest: undefined };
    const next = followingDocuments(events).next();
    return { ok: true, root, rest: next.done === true ? undefined : { offset, line: next.value.line } };
  } catch (error) {
    if (error instanceof YamlError) return { ok: false, error: error.message, line: error.line };
    throw error;
  }
}

/**
 * Yields the position of each document after the first one of a text that {@link parseYamlDocument} reads. Leaves out empty documents. If the
 * text becomes invalid, the last position belongs to the document with the error. Throws `Cancelled` if the token is cancelled.
 */
export function* documentsAfterFirst(input: Uint8Array | string, token?: CancellationToken): Generator<Mark, void> {
  const events = new EventReader(new Scanner(new Cursor(readSource(input), token)));
  try {
    skipDocument(events);
  } catch (error) {
    if (error instanceof YamlError) return;
    throw error;
  }
  yield* followingDocuments(events);
}

/** Yields the positions of the documents that follow after the end of a document. */
function* followingDocuments(events: EventReader): Generator<Mark, void> {
  for (;;) {
    let start: Mark | undefined = events.position;
    try {
      events.continue();
      start = events.position;
      if (events.next() === 'stream end') return;
      const event = events.next();
      const isEmpty = event === 'scalar' && events.implicit && events.text === '' && events.tag === '' && events.anchor === '';
      if (!isEmpty) {
        yield start;
        start = undefined;
      }
      if (event !== 'document end') skipDocument(events);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      if (start !== undefined && !isAtStreamEnd(events)) yield start;
      return;
    }
  }
}

/** Returns true if nothing but directives follows. A directive without a document is no document. */
function isAtStreamEnd(events: EventReader): boolean {
  try {
    return events.position.isStreamEnd;
  } catch (error) {
    if (error instanceof YamlError) return false;
    throw error;
  }
}

function skipDocument(events: EventReader): void {
  for (let event = events.next(); event !== 'document end' && event !== 'stream end';) event = events.next();
}

function compose(events: EventReader): YamlNode | undefined {
  const anchors = new Map<string, ScalarNode | SequenceNode | MappingNode>();
  const open: (SequenceNode | MappingNode)[] = [];
  let parent: SequenceNode | MappingNode | undefined;
  let root: YamlNode | undefined;
  for (;;) {
    const event = events.next();
    const { line, column, offset } = events;
    let node: YamlNode;
    switch (event) {
      case 'scalar':
        node = { kind: 'scalar', line, column, offset, tag: events.tag, implicit: events.implicit, text: events.text };
        break;
      case 'sequence start':
        node = { kind: 'sequence', line, column, offset, children: [] };
        break;
      case 'mapping start':
        node = { kind: 'mapping', line, column, offset, children: [] };
        break;
      case 'alias': {
        const name = events.anchor;
        const target = anchors.get(name);
        if (target === undefined) throw new YamlError(`unknown anchor '${name}' referenced`, line + 1);
        node = { kind: 'alias', line, column, offset, name, target };
        break;
      }
      case 'sequence end':
      case 'mapping end':
        open.pop();
        parent = open[open.length - 1];
        continue;
      case 'document start':
        continue;
      case 'document end':
      case 'stream end':
        return root;
    }
    if (node.kind !== 'alias' && events.anchor !== '') anchors.set(events.anchor, node);
    if (parent === undefined) root = node;
    else parent.children.push(node);
    if (node.kind === 'sequence' || node.kind === 'mapping') {
      open.push(node);
      parent = node;
    }
  }
}

/**
 * Returns a function that finds the line (from 1) on which a value begins in the first YAML document of a text. Its argument is the path of
 * keys and indices to the value. The function returns undefined if the value does not exist or the document cannot be read.
 */
export function yamlLines(text: string): (path: readonly (string | number)[]) => number | undefined {
  const document = parseYamlDocument(text);
  const root = document.ok ? document.root : undefined;
  return (path) => {
    const node = path.reduce<YamlNode | undefined>(child, root);
    return node === undefined ? undefined : node.line + 1;
  };
}

function child(parent: YamlNode | undefined, step: string | number): YamlNode | undefined {
  if (parent === undefined) return undefined;
  const node = parent.kind === 'alias' ? parent.target : parent;
  if (node.kind === 'sequence') return typeof step === 'number' ? node.children[step] : undefined;
  if (node.kind !== 'mapping') return undefined;
  const at = node.children.findIndex((key, i) => i % 2 === 0 && key.kind === 'scalar' && key.text === step);
  return at < 0 ? undefined : node.children[at + 1];
}
