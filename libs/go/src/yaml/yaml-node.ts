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

/** A list of nodes. */
export interface SequenceNode extends Mark {
  readonly kind: 'sequence';
  readonly children: YamlNode[];
}

/** Keys and values in turn. */
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
 * Node of a document, with the position at which it begins. If the node has an anchor or tag, the position is the position of the anchor or
 * tag.
 */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** Result of parsing a document: its root, or an error text without `yaml: `. The root is undefined if the stream contains no document. */
export type YamlDocument =
  | { readonly ok: true; readonly root: YamlNode | undefined }
  | {
      readonly ok: false;
      readonly error: string;
      /** Line of the error, from 1; 0 if it is unknown. */
      readonly line: number;
    };

/**
 * Reads the first document of a stream, as far as go-yaml reads it: up to the token after its end. Throws `Cancelled` when the token asks for it.
 * Source: go.yaml.in/yaml/v2 decode.go `parser.parse`.
 */
export function parseYamlDocument(input: Uint8Array | string, token?: CancellationToken): YamlDocument {
  const cursor = new Cursor(readSource(input), token);
  try {
    return { ok: true, root: compose(new EventReader(new Scanner(cursor))) };
  } catch (error) {
    if (error instanceof YamlError) return { ok: false, error: error.message, line: error.line };
    throw error;
  }
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
