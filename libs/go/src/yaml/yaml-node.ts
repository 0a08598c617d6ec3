import { COLLECTION_STYLE, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import type { Event } from 'js-yaml';
import { goYamlError } from './error-text.ts';

/** A node of a YAML document, before scalars are resolved. `line` counts from 1. */
export type YamlNode =
  | { readonly kind: 'scalar'; readonly line: number; readonly tag: string; readonly plain: boolean; readonly text: string }
  | { readonly kind: 'sequence'; readonly line: number; readonly items: YamlNode[] }
  /** Keys and values in turn. */
  | { readonly kind: 'mapping'; readonly line: number; readonly entries: YamlNode[] }
  | { readonly kind: 'alias'; readonly line: number; readonly name: string; readonly target: YamlNode };

/** A document's root, undefined when it is empty; or the text of an error. */
export type YamlDocument = { readonly ok: true; readonly root: YamlNode | undefined } | { readonly ok: false; readonly error: string };

/** Collections inside collections that the parser may follow without exhausting the stack. */
const MAX_DEPTH = 1000;

const DOCUMENT = 1;
const SEQUENCE = 2;
const MAPPING = 3;
const SCALAR = 4;
const ALIAS = 5;

/** Counts lines for offsets that mostly grow. */
class LineCounter {
  private readonly text: string;
  private at = 0;
  private line = 1;
  constructor(text: string) {
    this.text = text;
  }
  lineOf(offset: number): number {
    if (offset < this.at) {
      this.at = 0;
      this.line = 1;
    }
    for (;;) {
      const next = this.text.indexOf('\n', this.at);
      if (next < 0 || next >= offset) return this.line;
      this.at = next + 1;
      this.line += 1;
    }
  }
}

/** What the parser says of a quoted scalar or flow collection whose next line is not indented. libyaml does not mind. */
const DEFICIENT = 'deficient indentation';
/** What the parser says of anything after the root. */
const TRAILING = 'end of the stream or a document separator is expected';
/** Spaces put before such a line; they are folded away. */
const INDENTATION = ' '.repeat(120);
/** How many such lines are mended in one document. */
const MAX_MENDED = 500;

/** Parser events of a text, with the text they point into; it may have been indented where libyaml needs no indentation. */
function eventsOf(text: string): { ok: true; events: Event[]; text: string } | { ok: false; error: string } {
  let mended = text;
  for (let tries = 0; ; tries++) {
    try {
      return { ok: true, events: parseEvents(mended, { maxDepth: MAX_DEPTH }), text: mended };
    } catch (error) {
      if (error instanceof RangeError) return { ok: false, error: `exceeded max depth of ${MAX_DEPTH}` };
      if (!(error instanceof YAMLException)) throw error;
      const line = error.mark?.line ?? 0;
      // go-yaml stops after the first document's root; what follows a closed flow collection is never looked at.
      if (error.reason.startsWith(TRAILING) && /^\s*[{[]/.test(mended) && (error.mark?.position ?? 0) > 0) {
        mended = mended.slice(0, error.mark?.position);
        continue;
      }
      if (error.reason !== DEFICIENT || tries === MAX_MENDED) {
        const whole = mended.slice(lineStart(mended, line)).split('\n', 1)[0] as string;
        return { ok: false, error: goYamlError(error.reason, line + 1, mended.slice(error.mark?.position ?? mended.length), whole) };
      }
      const start = lineStart(mended, line);
      mended = mended.slice(0, start) + INDENTATION + mended.slice(start);
    }
  }
}

/** The offset of a line, counted from 0. */
function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 0; i < line; i++) at = text.indexOf('\n', at) + 1;
  return at;
}

/** An escape that names half of a surrogate pair, which libyaml refuses even where the other half follows. */
const BAD_ESCAPE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Reads the first document of a text. */
export function parseYamlDocument(source: string): YamlDocument {
  const parsed = eventsOf(source);
  if (!parsed.ok) return parsed;
  const { events, text } = parsed;
  const lines = new LineCounter(text);
  const anchors = new Map<string, YamlNode>();
  const open: YamlNode[] = [];
  let root: YamlNode | undefined;
  let documents = 0;
  const flow: boolean[] = [];
  let flowDepth = 0;
  const add = (node: YamlNode, anchor: string): void => {
    if (anchor !== '') anchors.set(anchor, node);
    const parent = open.at(-1);
    if (parent === undefined) root ??= node;
    else if (parent.kind === 'sequence') parent.items.push(node);
    else if (parent.kind === 'mapping') parent.entries.push(node);
  };
  let latest = 1;
  /** Where a node begins, its anchor and tag included; an empty one stands where what came before it does. */
  const lineOf = (properties: { readonly anchorStart: number; readonly tagStart: number }, start: number): number => {
    const starts = [start, properties.anchorStart, properties.tagStart].filter((at) => at >= 0);
    if (starts.length > 0) latest = lines.lineOf(Math.min(...starts));
    return latest;
  };
  const cut = (start: number, end: number): string => (start < 0 ? '' : text.slice(start, end));
  for (const event of events) {
    switch (event.type) {
      case DOCUMENT:
        documents += 1;
        break;
      case SEQUENCE:
      case MAPPING: {
        const line = lineOf(event, event.start);
        const parent = open.at(-1);
        const key = parent?.kind === 'mapping' && parent.entries.length % 2 === 1 ? parent.entries.at(-1) : undefined;
        if (event.type === MAPPING && event.style !== COLLECTION_STYLE.FLOW && key?.line === lines.lineOf(event.start)) {
          return { ok: false, error: `line ${key.line}: mapping values are not allowed in this context` };
        }
        const node: YamlNode = event.type === SEQUENCE ? { kind: 'sequence', line, items: [] } : { kind: 'mapping', line, entries: [] };
        add(node, cut(event.anchorStart, event.anchorEnd));
        open.push(node);
        flow.push(event.style === COLLECTION_STYLE.FLOW);
        if (event.style === COLLECTION_STYLE.FLOW) flowDepth += 1;
        break;
      }
      case SCALAR: {
        const plain = event.style === SCALAR_STYLE.PLAIN;
        const tag = cut(event.tagStart, event.tagEnd);
        const line = lineOf(event, event.valueStart);
        if (plain && flowDepth > 0 && text.slice(event.valueStart, event.valueEnd).includes('?')) {
          // libyaml still takes a question mark for an indicator anywhere inside a flow collection.
          return { ok: false, error: `line ${line}: did not find expected ',' or '}'` };
        }
        if (plain && flowDepth > 0 && /^:[[{]/.test(text.slice(event.valueEnd, event.valueEnd + 2))) {
          // A colon that no blank follows is part of the scalar there.
          return { ok: false, error: `line ${line}: did not find expected ',' or '}'` };
        }
        if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && BAD_ESCAPE.test(text.slice(event.valueStart, event.valueEnd))) {
          return { ok: false, error: `line ${line}: found invalid Unicode character escape code` };
        }
        add({ kind: 'scalar', line, tag, plain, text: getScalarValue(text, event) }, cut(event.anchorStart, event.anchorEnd));
        break;
      }
      case ALIAS: {
        const name = cut(event.anchorStart, event.anchorEnd);
        const target = anchors.get(name);
        if (target === undefined) return { ok: false, error: `unknown anchor '${name}' referenced` };
        add({ kind: 'alias', line: lines.lineOf(event.anchorStart), name, target }, '');
        break;
      }
      default:
        // The end of a container, or of a document when none is open: only the first document is read.
        if (flow.pop() === true) flowDepth -= 1;
        if (open.pop() === undefined && documents > 0) return { ok: true, root };
    }
  }
  return { ok: true, root };
}
