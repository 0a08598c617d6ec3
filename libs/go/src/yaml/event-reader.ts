import type { Scanner } from './scanner.ts';
import { TagHandles } from './resolve-scalar.ts';
import type { Mark, YamlToken, YamlTokenKind } from './token.ts';
import { parserError } from './yaml-error.ts';

/** Kind of a parser event. An empty node is a scalar event without text. */
export type EventKind =
  | 'scalar'
  | 'alias'
  | 'sequence start'
  | 'sequence end'
  | 'mapping start'
  | 'mapping end'
  | 'document start'
  | 'document end'
  | 'stream end';

/** State of the parser. Unlike libyaml's parser, it has no separate states for the first entries of collections. */
type State =
  | 'document start'
  | 'document content'
  | 'document end'
  | 'block node'
  | 'block sequence entry'
  | 'indentless sequence entry'
  | 'block mapping key'
  | 'block mapping value'
  | 'flow sequence first entry'
  | 'flow sequence entry'
  | 'flow sequence pair key'
  | 'flow sequence pair value'
  | 'flow sequence pair end'
  | 'flow mapping first key'
  | 'flow mapping key'
  | 'flow mapping value'
  | 'flow mapping empty value'
  | 'end';

/**
 * Reader that returns the events of a YAML parser one at a time, for one document of a stream. {@link EventReader.continue} proceeds to the
 * next document. Its fields describe the current event.
 * Source: go.yaml.in/yaml/v2 parserc.go.
 */
export class EventReader {
  /** Line of the node, from 0. `line`, `column` and `offset` are the position of the anchor or tag if the node has one. */
  line = 0;
  column = 0;
  offset = 0;
  /** Anchor of a node, or name of an alias. Empty if there is neither. */
  anchor = '';
  /** Complete tag of a node (`tag:yaml.org,2002:int`). Empty if there is none. */
  tag = '';
  /** Content of a scalar. */
  text = '';
  /** True if the text of a scalar determines its type. This requires a plain scalar without a tag, or the tag `!`. */
  implicit = false;
  readonly #scanner: Scanner;
  #state: State = 'document start';
  /** Stack of states to which the parser returns after a node is complete. */
  readonly #after: State[] = [];
  #handles = new TagHandles();

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Reads the next event and returns its kind. Throws YamlError if the YAML is invalid. */
  next(): EventKind {
    switch (this.#state) {
      case 'document start':
        return this.#documentStart();
      case 'document content':
        return this.#documentContent();
      case 'document end':
        this.#scanner.peek();
        this.#state = 'end';
        return 'document end';
      case 'block node':
        return this.#node('block');
      case 'block sequence entry':
        return this.#blockSequenceEntry();
      case 'indentless sequence entry':
        return this.#indentlessSequenceEntry();
      case 'block mapping key':
        return this.#blockMappingKey();
      case 'block mapping value':
        return this.#blockMappingValue();
      case 'flow sequence first entry':
        return this.#flowSequenceEntry('first');
      case 'flow sequence entry':
        return this.#flowSequenceEntry('later');
      case 'flow sequence pair key':
        return this.#flowPairKey();
      case 'flow sequence pair value':
        return this.#flowPairValue();
      case 'flow sequence pair end':
        this.#state = 'flow sequence entry';
        return 'mapping end';
      case 'flow mapping first key':
        return this.#flowMappingKey('first');
      case 'flow mapping key':
        return this.#flowMappingKey('later');
      case 'flow mapping value':
        return this.#flowMappingValue();
      case 'flow mapping empty value':
        this.#state = 'flow mapping key';
        return this.#empty(this.#scanner.peek());
      case 'end':
        return 'stream end';
    }
  }

  /** Position of the first token that was not consumed yet, and whether the stream ends there. Throws YamlError if there is no valid token. */
  get position(): Mark & { readonly isStreamEnd: boolean } {
    const { line, column, offset, kind } = this.#scanner.peek();
    return { line, column, offset, isStreamEnd: kind === 'stream end' };
  }

  /** Skips the marks `...` after a document, so that {@link EventReader.next} returns the events of the next document. */
  continue(): void {
    let token = this.#scanner.peek();
    while (token.kind === 'document end') token = this.#skipToNext();
    this.#state = 'document start';
  }

  #documentStart(): EventKind {
    const { kind } = this.#scanner.peek();
    if (kind === 'stream end') {
      this.#state = 'end';
      return 'stream end';
    }
    this.#after.push('document end');
    if (kind !== 'version directive' && kind !== 'tag directive' && kind !== 'document start') {
      this.#state = 'block node';
      return 'document start';
    }
    this.#directives();
    const token = this.#scanner.peek();
    if (token.kind !== 'document start') throw parserError('did not find expected <document start>', token.line);
    this.#scanner.skip();
    this.#state = 'document content';
    return 'document start';
  }

  #directives(): void {
    const handles = new TagHandles();
    let versioned = false;
    for (;;) {
      const token = this.#scanner.peek();
      if (token.kind === 'version directive') {
        if (versioned) throw parserError('found duplicate %YAML directive', token.line);
        if (token.text !== '1.1') throw parserError('found incompatible YAML document', token.line);
        versioned = true;
      } else if (token.kind === 'tag directive') {
        if (!handles.declare(token.text, token.suffix)) throw parserError('found duplicate %TAG directive', token.line);
      } else {
        break;
      }
      this.#scanner.skip();
    }
    this.#handles = handles;
  }

  #documentContent(): EventKind {
    const token = this.#scanner.peek();
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- every other token begins a node
    switch (token.kind) {
      case 'version directive':
      case 'tag directive':
      case 'document start':
      case 'document end':
      case 'stream end':
        this.#leave();
        return this.#empty(token);
      default:
        return this.#node('block');
    }
  }

  /** Completes a node: the next state is popped from the stack. */
  #leave(): void {
    this.#state = this.#after.pop() as State;
  }

  /** Emits a scalar event for a node that is missing in the text. Such a node counts as null. */
  #empty(at: YamlToken): EventKind {
    this.#begin(at);
    this.text = '';
    this.implicit = true;
    return 'scalar';
  }

  #begin(at: YamlToken): void {
    this.line = at.line;
    this.column = at.column;
    this.offset = at.offset;
    this.anchor = '';
    this.tag = '';
  }

  /** Skips the current token and returns the next one. */
  #skipToNext(): YamlToken {
    this.#scanner.skip();
    return this.#scanner.peek();
  }

  #nodeThen(after: State, where: 'block' | 'block or indentless sequence' | 'flow'): EventKind {
    this.#after.push(after);
    return this.#node(where);
  }

  #node(where: 'block' | 'block or indentless sequence' | 'flow'): EventKind {
    let token = this.#scanner.peek();
    this.#begin(token);
    if (token.kind === 'alias') {
      this.anchor = token.text;
      this.#scanner.skip();
      this.#leave();
      return 'alias';
    }
    token = this.#properties(token);
    const { kind } = token;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other tokens follow below
    switch (kind) {
      case 'plain scalar':
      case 'quoted scalar':
      case 'block scalar':
        this.text = token.text;
        this.implicit = this.tag === '!' || (this.tag === '' && kind === 'plain scalar');
        this.#scanner.skip();
        this.#leave();
        return 'scalar';
      case 'flow sequence start':
        this.#state = 'flow sequence first entry';
        this.#scanner.skip();
        return 'sequence start';
      case 'flow mapping start':
        this.#state = 'flow mapping first key';
        this.#scanner.skip();
        return 'mapping start';
      case 'block sequence start':
        if (where === 'flow') break;
        this.#state = 'block sequence entry';
        this.#scanner.skip();
        return 'sequence start';
      case 'block mapping start':
        if (where === 'flow') break;
        this.#state = 'block mapping key';
        this.#scanner.skip();
        return 'mapping start';
      case 'block entry':
        if (where !== 'block or indentless sequence') break;
        this.#state = 'indentless sequence entry';
        return 'sequence start';
      default:
    }
    if (this.anchor === '' && this.tag === '') throw parserError('did not find expected node content', token.line);
    this.text = '';
    this.implicit = this.tag === '';
    this.#leave();
    return 'scalar';
  }

  /** Reads an anchor and a tag, in either order. Returns the token after them. */
  #properties(first: YamlToken): YamlToken {
    let token = first;
    let tag: YamlToken | undefined;
    if (token.kind === 'anchor') {
      this.anchor = token.text;
      token = this.#skipToNext();
      if (token.kind === 'tag') {
        tag = token;
        token = this.#skipToNext();
      }
    } else if (token.kind === 'tag') {
      tag = token;
      token = this.#skipToNext();
      if (token.kind === 'anchor') {
        this.anchor = token.text;
        token = this.#skipToNext();
      }
    }
    if (tag !== undefined) {
      const whole = this.#handles.expand(tag.text, tag.suffix);
      if (whole === undefined) throw parserError('found undefined tag handle', tag.line);
      this.tag = whole;
    }
    return token;
  }

  #blockSequenceEntry(): EventKind {
    const token = this.#scanner.peek();
    if (token.kind === 'block entry') {
      const next = this.#skipToNext();
      if (next.kind !== 'block entry' && next.kind !== 'block end') return this.#nodeThen('block sequence entry', 'block');
      return this.#empty(token);
    }
    if (token.kind !== 'block end') throw parserError("did not find expected '-' indicator", token.line);
    this.#leave();
    this.#scanner.skip();
    return 'sequence end';
  }

  /** Reads an entry of a sequence that has the same indent as the keys of its mapping. */
  #indentlessSequenceEntry(): EventKind {
    const token = this.#scanner.peek();
    if (token.kind !== 'block entry') {
      this.#leave();
      return 'sequence end';
    }
    const { kind } = this.#skipToNext();
    if (kind === 'block entry' || endsBlockNode(kind)) return this.#empty(token);
    return this.#nodeThen('indentless sequence entry', 'block');
  }

  #blockMappingKey(): EventKind {
    const token = this.#scanner.peek();
    if (token.kind === 'key') {
      if (!endsBlockNode(this.#skipToNext().kind)) return this.#nodeThen('block mapping value', 'block or indentless sequence');
      this.#state = 'block mapping value';
      return this.#empty(token);
    }
    if (token.kind !== 'block end') throw parserError('did not find expected key', token.line);
    this.#leave();
    this.#scanner.skip();
    return 'mapping end';
  }

  #blockMappingValue(): EventKind {
    const token = this.#scanner.peek();
    if (token.kind === 'value' && !endsBlockNode(this.#skipToNext().kind)) {
      return this.#nodeThen('block mapping key', 'block or indentless sequence');
    }
    this.#state = 'block mapping key';
    return this.#empty(token);
  }

  /**
   * Skips the comma before an entry of a flow collection, if the entry is not the first. Returns the first token of the entry, or the token
   * that ends the collection.
   */
  #separated(position: 'first' | 'later', end: YamlTokenKind, missing: string): YamlToken {
    const token = this.#scanner.peek();
    if (position === 'first' || token.kind === end) return token;
    if (token.kind !== 'flow entry') throw parserError(missing, token.line);
    return this.#skipToNext();
  }

  #flowSequenceEntry(position: 'first' | 'later'): EventKind {
    const token = this.#separated(position, 'flow sequence end', "did not find expected ',' or ']'");
    if (token.kind === 'key') {
      this.#begin(token);
      this.#scanner.skip();
      this.#state = 'flow sequence pair key';
      return 'mapping start';
    }
    if (token.kind !== 'flow sequence end') return this.#nodeThen('flow sequence entry', 'flow');
    this.#leave();
    this.#scanner.skip();
    return 'sequence end';
  }

  /** Reads the key of a mapping that is written without braces inside a flow sequence. Such a mapping has exactly one entry. */
  #flowPairKey(): EventKind {
    const token = this.#scanner.peek();
    if (token.kind !== 'value' && token.kind !== 'flow entry' && token.kind !== 'flow sequence end') {
      return this.#nodeThen('flow sequence pair value', 'flow');
    }
    this.#scanner.skip();
    this.#state = 'flow sequence pair value';
    return this.#empty(token);
  }

  #flowPairValue(): EventKind {
    let token = this.#scanner.peek();
    if (token.kind === 'value') {
      token = this.#skipToNext();
      if (token.kind !== 'flow entry' && token.kind !== 'flow sequence end') return this.#nodeThen('flow sequence pair end', 'flow');
    }
    this.#state = 'flow sequence pair end';
    return this.#empty(token);
  }

  #flowMappingKey(position: 'first' | 'later'): EventKind {
    let token = this.#separated(position, 'flow mapping end', "did not find expected ',' or '}'");
    if (token.kind === 'key') {
      token = this.#skipToNext();
      if (!endsFlowPart(token.kind)) return this.#nodeThen('flow mapping value', 'flow');
      this.#state = 'flow mapping value';
      return this.#empty(token);
    }
    if (token.kind !== 'flow mapping end') return this.#nodeThen('flow mapping empty value', 'flow');
    this.#leave();
    this.#scanner.skip();
    return 'mapping end';
  }

  #flowMappingValue(): EventKind {
    let token = this.#scanner.peek();
    if (token.kind === 'value') {
      token = this.#skipToNext();
      if (token.kind !== 'flow entry' && token.kind !== 'flow mapping end') return this.#nodeThen('flow mapping key', 'flow');
    }
    this.#state = 'flow mapping key';
    return this.#empty(token);
  }
}

function endsBlockNode(kind: YamlTokenKind): boolean {
  return kind === 'key' || kind === 'value' || kind === 'block end';
}

function endsFlowPart(kind: YamlTokenKind): boolean {
  return kind === 'value' || kind === 'flow entry' || kind === 'flow mapping end';
}
