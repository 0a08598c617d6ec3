import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import type { CodeAction, CodeLens, CompletionItem, Diagnostic, Hover, InitializeResult, Position } from 'vscode-languageserver';
import { sampled } from '../../../testing/thorough.ts';
import { ASSAY } from './assay-process.ts';

const URI = 'file:///crd.yaml';

/** Simulated editor: a client of a language server that runs in a separate process. */
class Editor {
  readonly process: ChildProcessWithoutNullStreams;
  readonly connection: MessageConnection;
  readonly ended: Promise<number | null>;
  stderr = '';
  text = '';
  #version = 0;
  readonly #published = new Map<string, { readonly version: number | undefined; readonly diagnostics: Diagnostic[] }>();

  /** Messages that the server asks the editor to show. */
  readonly shown: string[] = [];

  /** Starts the server in a folder, or in the folder of this process. */
  constructor(argv: readonly string[] = [], folder?: string) {
    this.process = spawn(process.execPath, [ASSAY, 'lsp', '--stdio', ...argv], { cwd: folder });
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((done) => this.process.on('close', (code) => done(code)));
    this.connection = createMessageConnection(new StreamMessageReader(this.process.stdout), new StreamMessageWriter(this.process.stdin));
    this.connection.onNotification(
      'textDocument/publishDiagnostics',
      (sent: { uri: string; version?: number; diagnostics: Diagnostic[] }) => {
        this.#published.set(sent.uri, { version: sent.version, diagnostics: sent.diagnostics });
      },
    );
    this.connection.onNotification('window/showMessage', ({ message }: { message: string }) => void this.shown.push(message));
    this.connection.listen();
  }

  async start(initializationOptions?: unknown): Promise<InitializeResult> {
    const params = { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions };
    const result = await this.connection.sendRequest<InitializeResult>('initialize', params);
    await this.connection.sendNotification('initialized', {});
    return result;
  }

  async open(text: string, uri = URI): Promise<void> {
    this.text = text;
    this.#version++;
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: this.#version, text },
    });
  }

  /** Types letters at a position, with one change notification per letter. Returns the position after the typed letters. */
  async type(at: Position, letters: string): Promise<Position> {
    let { line, character } = at;
    for (const letter of letters) {
      const position = { line, character };
      await this.change({ range: { start: position, end: position }, text: letter });
      if (letter === '\n') [line, character] = [line + 1, 0];
      else character += letter.length;
    }
    return { line, character };
  }

  async change(change: { readonly range: { readonly start: Position; readonly end: Position }; readonly text: string }): Promise<void> {
    this.#version++;
    const lines = this.text.split('\n');
    const offset = ({ line, character }: Position): number =>
      lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + character;
    this.text = this.text.slice(0, offset(change.range.start)) + change.text + this.text.slice(offset(change.range.end));
    await this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: URI, version: this.#version },
      contentChanges: [change],
    });
  }

  ask<T>(method: string, position: Position, uri = URI): Promise<T> {
    return this.connection.sendRequest<T>(`textDocument/${method}`, { textDocument: { uri }, position });
  }

  /** Waits for the diagnostics of the present version of the text and returns them. */
  async diagnostics(uri = URI): Promise<Diagnostic[]> {
    for (;;) {
      const found = this.#published.get(uri);
      if (found?.version === this.#version) return found.diagnostics;
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  /** Returns the position after the first occurrence of a piece of the text. */
  behind(piece: string): Position {
    const lines = this.text.slice(0, this.text.indexOf(piece) + piece.length).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }

  async stop(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    return this.ended;
  }
}

const editors: Editor[] = [];
const edit = (argv?: readonly string[], folder?: string): Editor => {
  const editor = new Editor(argv, folder);
  editors.push(editor);
  return editor;
};
afterEach(() => {
  for (const { connection, process } of editors.splice(0)) {
    connection.dispose();
    process.kill('SIGKILL');
  }
});

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: "self.count > 0"
            properties:
              count: {type: integer}
              list:
                type: array
                items: {type: string}
`;

/**
 * Severity of advice in diagnostics, which distinguishes advice from problems. Source: Language Server Protocol 3.17, DiagnosticSeverity.
 */
const HINT = 4;

describe('assay lsp', () => {
  it('supports typing, hovers, completions and fixes', async () => {
    const editor = edit();
    const { capabilities, serverInfo } = await editor.start();
    expect(serverInfo?.name).toBe('assay');
    expect(capabilities).toMatchObject({ hoverProvider: true, completionProvider: {}, codeLensProvider: {} });
    await editor.open(DEFINITION);
    expect((await editor.diagnostics()).filter(({ severity }) => severity !== HINT)).toEqual([]);

    const hover = await editor.ask<Hover>('hover', editor.behind('self.cou'));
    expect(hover.contents).toMatchObject({ value: expect.stringContaining('self.count: int') as string });

    let at = await editor.type(editor.behind('count > 0'), ' && self.');
    const completions = await editor.ask<CompletionItem[]>('completion', at);
    expect(completions.map(({ label }) => label)).toEqual(expect.arrayContaining(['count', 'list']));
    const list = completions.find(({ label }) => label === 'list');
    await editor.change({
      range: (list as { textEdit: { range: { start: Position; end: Position } } }).textEdit.range,
      text: list?.textEdit?.newText ?? '',
    });
    at = editor.behind('self.list');
    await editor.type(at, '.all(x, self.list.exists(y, x == y))');
    const dear = await editor.diagnostics();
    expect(dear.map(({ range }) => range.start.line)).toEqual([13, 19, 19]);
    expect(dear[1]).toMatchObject({
      severity: 1,
      source: 'assay',
      message: expect.stringContaining('estimated rule cost exceeds budget') as string,
    });

    const lenses = await editor.connection.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri: URI } });
    expect(lenses).toMatchObject([
      { command: { title: expect.stringMatching(/^✗ estimate [\d,]+(?:\.\d × 10\^\d+)? of 10,000,000/) as string } },
    ]);

    const actions = await editor.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: URI },
      range: { start: at, end: at },
      context: { diagnostics: dear },
    });
    const mending = actions.find(({ title }) => title.startsWith('Set '));
    for (const { range, newText } of mending?.edit?.changes?.[URI] ?? []) await editor.change({ range, text: newText });
    expect(editor.text).toMatch(/maxItems: \d+/);
    expect((await editor.diagnostics()).filter(({ severity }) => severity !== HINT)).toEqual([]);
    expect(await editor.stop()).toBe(0);
  });

  it('validates objects with given or open definitions, in several versions', async () => {
    const editor = edit(['-k', '1.30,1.31,1.37']);
    await editor.start();
    await editor.open(DEFINITION.replace('self.count > 0', 'self.list.sortBy(x, x) == self.list'));
    const [found] = (await editor.diagnostics()).filter(({ message }) => JSON.stringify(message).includes('sortBy'));
    expect(found?.message).toContain('(error on 1.30 – 1.31)');
    await editor.connection.sendNotification('workspace/didChangeConfiguration', { settings: { assay: { kubernetesVersions: ['1.37'] } } });
    await editor.change({
      range: { start: { line: 19, character: 12 }, end: editor.behind('== self.list"') },
      text: '- rule: self.count > 0',
    });
    expect((await editor.diagnostics()).filter(({ severity }) => severity !== HINT)).toEqual([]);
    await editor.open('apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  count: 0\n', 'file:///object.yaml');
    expect(await editor.diagnostics('file:///object.yaml')).toMatchObject([
      { message: expect.stringContaining('failed rule: self.count > 0') as string, range: { start: { line: 3 } } },
    ]);
  });

  it('renames, finds, formats and colours names in rules, and continues after invalid requests', async () => {
    const editor = edit();
    const { capabilities } = await editor.start();
    expect(capabilities).toMatchObject({
      documentFormattingProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
    });
    const text = DEFINITION.replace(/rule: .*/, "rule: '[1,2].all(x, x>0)'");
    await editor.open(text);
    const line = text.split('\n').findIndex((one) => one.includes('rule:'));
    const character = (text.split('\n')[line] ?? '').indexOf('x, ');
    const at = { textDocument: { uri: URI }, position: { line, character } };
    expect(await editor.connection.sendRequest('textDocument/prepareRename', at)).toMatchObject({ placeholder: 'x' });
    expect(await editor.connection.sendRequest('textDocument/rename', { ...at, newName: 'n' })).toMatchObject({
      changes: { [URI]: [{ newText: 'n' }, { newText: 'n' }] },
    });
    await expect(editor.connection.sendRequest('textDocument/rename', { ...at, newName: '1' })).rejects.toThrow('1 is no name of CEL');
    const context = { includeDeclaration: true };
    expect(await editor.connection.sendRequest('textDocument/references', { ...at, context })).toHaveLength(2);
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await editor.connection.sendRequest('textDocument/formatting', { textDocument: { uri: URI }, options });
    expect(edits).toMatchObject([{ newText: ' ' }, { newText: ' ' }, { newText: ' ' }]);
    const tokens = await editor.connection.sendRequest('textDocument/semanticTokens/full', { textDocument: { uri: URI } });
    expect((tokens as { data: number[] }).data.length % 5).toBe(0);
    expect((tokens as { data: number[] }).data.length).toBeGreaterThan(30);
    await expectSurvival(editor);
    expect(await editor.stop()).toBe(0);
  });

  async function expectSurvival(editor: Editor): Promise<void> {
    await expect(editor.connection.sendRequest('textDocument/unheardOf', {})).rejects.toThrow();
    expect(await editor.ask('hover', { line: 99999, character: 99999 })).toBeNull();
    expect(await editor.ask('completion', { line: -1, character: -5 }, 'file:///nowhere')).toEqual([]);
    await expect(editor.connection.sendRequest('textDocument/hover', { textDocument: null })).rejects.toThrow();
    const uri = 'file:///odd.yaml';
    await editor.open('a: &a [*a, *a]\n__proto__: {x: 1}\nconstructor: "\\ud800"\n', uri);
    expect(await editor.ask('hover', { line: 0, character: 4 }, uri)).toBeNull();
  }

  it('supports rules in the markers of Go sources', async () => {
    const editor = edit();
    await editor.start();
    const uri = 'file:///api/types.go';
    await editor.open('package v1\n\n// +kubebuilder:validation:XValidation:rule="self.size >"\ntype Widget struct{}\n', uri);
    expect(await editor.diagnostics(uri)).toMatchObject([
      { message: expect.stringContaining('Syntax error') as string, range: { start: { line: 2 } } },
    ]);
    expect(await editor.stop()).toBe(0);
  });

  it('exits with a message if the client sends invalid data', async () => {
    const editor = edit();
    editor.process.stdin.write('Nonsense\r\nMore: of it\r\n\r\n{"what"');
    expect(await editor.ended).toBe(2);
    expect(editor.stderr).toContain('the client does not speak the Language Server Protocol');
  });

  it('exits if the client sends endless data without a message', async () => {
    const editor = edit();
    editor.process.stdin.on('error', () => undefined);
    editor.process.stdin.write(`Content-Length: 99999999999\r\n\r\n`);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 80; i++) editor.process.stdin.write(piece);
    expect(await editor.ended).toBe(2);
    expect(editor.stderr).toContain('bytes that are no message');
  });

  const settings: readonly (readonly [string, (file: string) => void, RegExp])[] = [
    ['no YAML', (file) => writeFileSync(file, 'paths: ['), /\.assay\.yaml: .*line 1/],
    ['no settings', (file) => writeFileSync(file, 'a: 1'), /Unrecognized key/],
    ['nested too deeply', (file) => writeFileSync(file, `paths: ${'['.repeat(200_000)}`), /\.assay\.yaml: /],
    ['a minor that there is not', (file) => writeFileSync(file, 'kubernetesVersion: "1.2"'), /must be a version of Kubernetes/],
    ['a path outside', (file) => writeFileSync(file, 'crds: ../..'), /is outside of the repository/],
    ['a pipe', (file) => void execFileSync('mkfifo', [file]), /not a file, but a named pipe/],
    ['an endless device', (file) => symlinkSync('/dev/zero', file), /is outside of the repository/],
    ['a folder', (file) => mkdirSync(file), /a folder, not a file/],
  ];
  // A normal test run tests one file of each kind: an invalid text, an invalid value, and something other than a file.
  it.each(sampled(settings, 3))('works for an editor whose settings file is %s, and reports the problem', async (_, write, problem) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-lsp-'));
    mkdirSync(join(folder, '.git'));
    write(join(folder, '.assay.yaml'));
    const editor = edit(['gone.yaml'], folder);
    await editor.start();
    await editor.open(DEFINITION);
    await editor.diagnostics();
    expect(editor.shown).toEqual([expect.stringMatching(problem)]);
    expect(await editor.stop()).toBe(0);
  });

  it('exits when its client exits', async () => {
    const editor = edit();
    await editor.start();
    editor.process.stdin.end();
    expect(await editor.ended).not.toBeNull();
  });

  it('exits if the client sends requests without end and never reads the responses', async () => {
    const server = spawn(process.execPath, [ASSAY, 'lsp'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const state = { isOver: false };
    const ended = new Promise<number | null>((done) => server.on('exit', (code) => done(code))).finally(() => (state.isOver = true));
    server.stdin.on('error', () => undefined);
    const send = (method: string, params: unknown, id?: number): boolean => {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      return server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    send('initialize', { processId: process.pid, rootUri: null, capabilities: {} }, 1);
    send('textDocument/didOpen', { textDocument: { uri: URI, languageId: 'yaml', version: 1, text: DEFINITION } });
    for (let id = 2; !state.isOver; id++)
      if (!send('textDocument/completion', { textDocument: { uri: URI }, position: { line: 19, character: 21 } }, id))
        await new Promise((done) => setTimeout(done, 5));
    expect(await ended).toBe(2);
    expect(stderr).toContain('the client does not read');
  });
});
