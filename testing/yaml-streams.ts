import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { customDefinition } from './custom-definition.ts';

/** YAML stream of two documents in one encoding, with one kind of line end and one form of separator. */
export interface YamlStream {
  /** Encoding, line end and separator: `utf-16le crlf comment`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The same stream in UTF-8 and with line feeds, without what only another encoding or line end needs. */
  readonly text: string;
  /** Documents that Go's reader gives, as JSON, up to its first error. */
  readonly go: readonly string[];
  /** Error at which Go's reader stops. Absent if it reads the whole stream. */
  readonly goError?: string;
  /** Number of documents that a YAML 1.2 parser sees. Undefined if the text is no YAML. */
  readonly documents: number | undefined;
}

const FIRST = `apiVersion: example.com/v1
kind: Widget
metadata: {name: good, namespace: default}
note: |
  x

  y
size: 1
`;
const SECOND = `apiVersion: example.com/v1
kind: Widget
metadata: {name: bad, namespace: default}
size: 0
`;

/** Texts between the documents, by name. The text `none` begins a stream of one document. */
const SEPARATORS: Readonly<Record<string, string>> = {
  none: '# no separator\n---\n---\n',
  dashes: '---\n',
  comment: '--- # c\n',
  'comment at once': '---#c\n',
  tab: '---\t\n',
  'vertical tab': '---\v\n',
  'no-break space': '---\u00a0\n',
  'line separator': '---\u2028\n',
  'flow mapping': '--- {a: 1}\n---\n',
  tag: '--- !!map\n',
  text: '---x\n',
  end: '...\n',
  'end and dashes': '...\n---\n',
  'end and text': '...\n]]\n',
  directive: '...\n%YAML 1.1\n---\n',
  'mark after': '---\n\ufeff',
  'mark before': '\ufeff---\n',
  'null after': '---\n\0\n',
  'null in line': '---\0\n',
  'carriage return': '---\r\n',
  'several ends': '...\n...\n...\n',
};

const LINE_ENDS: Readonly<Record<string, string>> = {
  lf: '\n',
  crlf: '\r\n',
  crcrlf: '\r\r\n',
  cr: '\r',
  nel: '\u0085',
  ls: '\u2028',
  ps: '\u2029',
};

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => bigEndian(`\ufeff${text}`),
  'utf-16le no mark': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be no mark': bigEndian,
};

const JSON_FIRST = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"good","namespace":"default"},"size":1}';
const JSON_SECOND = JSON_FIRST.replace('good', 'bad').replace(':1}', ':0}');
const FLOW = JSON_FIRST.replace('"kind":', 'kind: ');

/** Streams whose form matters more than their encoding. */
const FORMS: Readonly<Record<string, string>> = {
  'JSON objects in a row': `${JSON_FIRST}${JSON_SECOND}`,
  'JSON objects on lines': `${JSON_FIRST}\n${JSON_SECOND}\n`,
  'JSON objects, then YAML': `${JSON_FIRST}\n${SECOND}`,
  'JSON objects behind separators': `${JSON_FIRST}\n---\n${JSON_SECOND}`,
  'JSON objects after a separator': `---\n${JSON_FIRST}\n${JSON_SECOND}\n`,
  'JSON, then a bracket': `${JSON_FIRST}\n]\n`,
  'a flow mapping': `${FLOW}\n`,
  'flow mappings on lines': `${FLOW}\n${FLOW}\n`,
  'a flow mapping, then text': `# c\n${FLOW} x\n`,
  'a directive at first': `%YAML 1.1\n---\n${FIRST}---\n${SECOND}`,
  'a directive of another version': `%YAML 1.2\n---\n${FIRST}`,
  'no last line end': FIRST.trimEnd(),
  'a block scalar at the end': `${FIRST.replace(/note: [^s]*/, '')}note: |\n  x`,
  'empty documents': `---\n---\n# c\n---\n\n${FIRST}---\n`,
  'separators in a quoted scalar': `${SECOND}note: "x\n---y"\n`,
};

/** Result of Go's reader, with the names of all streams that have it. */
interface GoReading {
  readonly go: readonly string[];
  readonly goError?: string;
  readonly streams: readonly string[];
}

const GO_READINGS = join(import.meta.dirname, '../conformance/golden/yaml-streams.json');

const goReadings = new Map(
  (JSON.parse(readFileSync(GO_READINGS, 'utf8')) as readonly GoReading[]).flatMap(({ streams, ...reading }) =>
    streams.map((name) => [name, reading] as const),
  ),
);

/**
 * Returns the number of documents that are not empty. Returns undefined if the text is no YAML, or if a document begins with a byte order
 * mark.
 */
function documentsIn(text: string): number | undefined {
  const found = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
  if (!Array.isArray(found) || found.some(({ errors }) => errors.length > 0)) return undefined;
  return found.filter(({ contents }) => contents !== null && String(contents) !== 'null').length;
}

const stream = (name: string, text: string, bytes: Uint8Array): YamlStream => ({
  name,
  text,
  bytes,
  documents: documentsIn(text),
  ...(goReadings.get(name) ?? { go: [] }),
});

/** Streams of all encodings, line ends and separators, and some others. */
export const YAML_STREAMS: readonly YamlStream[] = [
  ...Object.entries(ENCODINGS).flatMap(([encoding, encode]) =>
    Object.entries(LINE_ENDS).flatMap(([lineEnd, end]) =>
      Object.entries(SEPARATORS).map(([separator, between]) => {
        const text = `${separator === 'none' ? '' : FIRST}${between}${SECOND}`;
        return stream(`${encoding} ${lineEnd} ${separator}`, text, encode(text.replaceAll('\n', end)));
      }),
    ),
  ),
  ...Object.entries(FORMS).map(([name, text]) => stream(name, text, Buffer.from(text))),
];

/** Definition of the objects in {@link YAML_STREAMS}. The first one is accepted, and the second one is refused. */
export const STREAMED_DEFINITION = customDefinition({
  kind: 'Widget',
  schema: { type: 'object', properties: { size: { type: 'integer', minimum: 1 }, note: { type: 'string' } } },
});

/** Verdict on one document of a stream. */
interface StreamVerdict {
  readonly outcome: string;
  readonly status?: { readonly message?: string | undefined } | undefined;
}

/**
 * Returns what is wrong with the verdicts on the documents of a stream, or undefined. Each document that Go's reader gives must have its
 * verdict, and all others must be refused. No document may be without a verdict.
 */
export function wrongVerdicts({ go, goError, documents }: YamlStream, verdicts: readonly StreamVerdict[]): string | undefined {
  const outcomes = verdicts.map(({ outcome, status }) => (outcome === 'accepted' ? outcome : `${outcome}: ${status?.message}`));
  const wanted = go.map((json) =>
    (JSON.parse(json) as { size?: number }).size === 1 && json.includes('"kind":') ? 'accepted' : 'rejected',
  );
  const said = (why: string): string => `${why}: ${JSON.stringify({ go, goError, documents, outcomes })}`;
  if (wanted.some((outcome, i) => !outcomes[i]?.startsWith(outcome))) return said('a document that Go reads has another verdict');
  // After an invalid separator line, Go's reader also drops the text before this line. Assay gives a verdict on that text.
  const isRefused = outcomes.slice(go.length).some((outcome) => outcome.startsWith('rejected'));
  if (goError !== undefined) return isRefused ? undefined : said("Go's error is missing");
  if (outcomes.slice(go.length).some((outcome) => !/^rejected: line \d+: /.test(outcome)))
    return said('a rest is not refused with its line');
  return documents === undefined ? undefined : documents === outcomes.length ? undefined : said('documents are missing');
}
