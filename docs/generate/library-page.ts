import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { libraryTypes } from '../../scripts/pack/library-types.ts';
import { PACKAGE_NAME } from '../../testing/package-name.ts';

const SOURCES = join(import.meta.dirname, '../../apps/library/src');

/** An export of the library with the texts that its documentation page shows. */
export interface DocumentedExport {
  readonly name: string;
  /** Declaration of the export without its body. */
  readonly signature: string;
  readonly text: string;
  /** Example code of the export's doc comment. The spec of the page runs this code. Undefined if there is no example. */
  readonly example: string | undefined;
}

/** Returns the exported declarations of a library file, in source order. */
export function exportsOf(fileName: string): DocumentedExport[] {
  const source = ts.createSourceFile(fileName, readFileSync(join(SOURCES, fileName), 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    const exported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const name = exported ? nameOf(statement) : undefined;
    if (name === undefined) return [];
    const [doc] = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
    const example = doc?.tags?.find(({ tagName }) => tagName.text === 'example');
    return [{ name, signature: signatureOf(statement, source), text: textOf(doc?.comment), example: example && textOf(example.comment) }];
  });
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText();
  if (ts.isFunctionDeclaration(statement) || ts.isInterfaceDeclaration(statement)) return statement.name?.text;
  return ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement) ? statement.name?.text : undefined;
}

function signatureOf(statement: ts.Statement, source: ts.SourceFile): string {
  const end = ts.isFunctionDeclaration(statement) && statement.body ? statement.body.getStart() : statement.getEnd();
  const text = source.text.slice(statement.getStart(), end).trim();
  return text
    .replace(/^export /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(', )', ')');
}

const textOf = (comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string =>
  (ts.getTextOfJSDocComment(comment) ?? '').replaceAll(/\{@link (\w+)\}/g, '`$1`').trim();

/** Library files whose functions are documented, in the order of the page. */
export const FUNCTIONS = ['definition.ts', 'validate-object.ts', 'analyses.ts'] as const;
const LINE_OF = /^(function|const)/;

/**
 * Returns docs/reference/library.md, generated from the doc comments of the package's exports and from its declarations. The page shows all
 * declarations, so each change of them is a change of the page.
 */
export async function libraryPage(): Promise<string> {
  const functions = FUNCTIONS.flatMap(exportsOf).filter(({ signature }) => LINE_OF.test(signature));
  const helpers = exportsOf('testing.ts').filter(({ signature }) => LINE_OF.test(signature));
  const types = typesIn((await libraryTypes()).get('index.d.ts') ?? '');
  return `# Library

<!-- Generated from the docstrings in apps/library/src and from the declarations of the package by \`npm run docs\`. -->

For authors of JavaScript programs and tests.
Which functions does the package export, and what do they take and return?

\`npm run --silent pack\` makes the package and prints the path of its tarball. Tests run the examples below. You pass definitions and objects as text, bytes or plain
values. Results are plain values, as in JSON, and contain the errors of a definition or an object. Functions throw, or reject, only for wrong options
(\`TypeError\`), an aborted signal, or a timeout (\`TimeoutError\`). No function keeps state between calls.

Calls run synchronously on the calling thread. A call checks \`signal\` between two objects, and \`timeoutMs\` also inside a rule. If a Content-Security-Policy forbids
code from strings, Assay interprets the rules instead, with the same results.

## ${PACKAGE_NAME}

${functions.map((one) => section(one, '###')).join('\n')}
## ${PACKAGE_NAME}/testing

${helpers.map((one) => section(one, '###')).join('\n')}
## ${PACKAGE_NAME}/vitest

The import extends Vitest's \`expect\` by the matchers, and exports \`fixture\`. With Vitest before version 5, or with Jest, call \`expect.extend(matchers)\` with the
matchers of \`${PACKAGE_NAME}/testing\`. The package contains only ES modules. Jest needs a flag for ES modules, and the test files must be ES modules, too (\`.mjs\`):
\`NODE_OPTIONS=--experimental-vm-modules npx jest --testMatch '**/*.test.mjs'\`.

## Types

\`\`\`ts
${types}
\`\`\`
`;
}

/** Returns the types of a file of declarations. Leaves out functions, which have sections of their own. */
function typesIn(declarations: string): string {
  const source = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest);
  const texts = source.statements.flatMap((statement) =>
    ts.isFunctionDeclaration(statement)
      ? []
      : ts.isExportDeclaration(statement)
        ? aliasesIn(statement)
        : [
            statement
              .getFullText(source)
              .trim()
              .replace(/^export /m, ''),
          ],
  );
  return texts.join('\n\n');
}

/** Returns a declaration for each type that is exported under another name. */
function aliasesIn({ exportClause }: ts.ExportDeclaration): string[] {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.flatMap(({ name, propertyName }) =>
    propertyName === undefined ? [] : [`type ${name.text} = ${propertyName.text};`],
  );
}

function section({ name, signature, text, example }: DocumentedExport, level: string): string {
  const shown = signature.startsWith('function') ? `\`\`\`ts\n${signature}\n\`\`\`\n\n` : '';
  return `${level} ${name}\n\n${shown}${text}\n${example === undefined ? '' : `\n\`\`\`ts\n${example}\n\`\`\`\n`}`;
}
