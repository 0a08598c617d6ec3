import ts from 'typescript';

/** Pattern of files that may contain texts for users. */
const SOURCES = /^(?:apps|libs)\/[^/]+\/src\//;
/** Pattern of files in which every text is for users. */
const WORDS_ONLY =
  /^(?:apps\/cli\/src\/(?:command-words|help|shared-options|arguments\/[^/]+)|apps\/api\/src\/description\/[^/]+|libs\/crd\/src\/advice\/kinds\/[^/]+|libs\/telemetry\/src\/metrics)\.ts$/;
/** Names of functions that take a text for users: from zod, from commander, and from the metrics library. */
const TAKES_TEXT = new Set(['describe', 'description', 'summary', 'option', 'Option', 'addHelpText', 'Counter', 'Histogram', 'inSeconds']);
const IS_TEXT = new Set(['description', 'summary']);
const SHOWN_ATTRIBUTES = new Set(['title', 'aria-label']);
/** Names of properties that contain code or examples. Their values are not checked. */
const IS_CODE = new Set(['before', 'after', 'rule', 'example', 'examples', 'value']);
const SOME_TEXT = new RegExp(`\\b(?:${[...TAKES_TEXT].join('|')})\\(|\\b(?:${[...IS_TEXT].join('|')}):`);

/**
 * Yields the texts for users in a TypeScript file as `{ at, text }`: descriptions of settings, options, operations and metrics, advice, and
 * page texts. A placeholder in a template counts as one word.
 */
export function* messagesOf(file, source) {
  const isPage = file.endsWith('.tsx');
  if (!SOURCES.test(file) || !(isPage || WORDS_ONLY.test(file) || SOME_TEXT.test(source))) return;
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, isPage ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  yield* messagesIn(tree, WORDS_ONLY.test(file));
}

function* messagesIn(node, isMessage) {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
  if (ts.isPropertyAssignment(node) && IS_CODE.has(node.name.text)) return;
  if (ts.isJsxElement(node) && node.children.some((child) => ts.isJsxText(child) && child.text.trim() !== '')) {
    yield { at: node.getStart(), text: shownText(node) };
    yield* messagesIn(node.openingElement, false);
    return;
  }
  if (isMessage) {
    const text = textOf(node);
    if (text !== undefined) {
      yield { at: node.getStart(), text };
      return;
    }
  }
  for (const [child, isOne] of childrenOf(node)) yield* messagesIn(child, isMessage || isOne);
}

/** Returns the children of a node, each in a pair with a flag. The flag is true if the node makes the child's strings texts for users. */
function childrenOf(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push([child, false]));
  const isText =
    (ts.isPropertyAssignment(node) && IS_TEXT.has(node.name.text) && node.initializer) ||
    (ts.isJsxAttribute(node) && SHOWN_ATTRIBUTES.has(node.name.getText()) && node.initializer);
  if (isText) return children.map(([child]) => [child, child === isText]);
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return children;
  const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
  return TAKES_TEXT.has(called) ? children.map(([child]) => [child, node.arguments?.includes(child) === true]) : children;
}

/** Returns the text of a string, of a template, or of a concatenation of these; undefined for any other node. */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? 'X') + (right ?? 'X');
}

/** Returns the text of a page element, including the text of nested elements. */
function shownText(element) {
  return element.children
    .map((child) => (ts.isJsxText(child) ? child.text : ts.isJsxElement(child) ? shownText(child) : 'X'))
    .join('')
    .replace(/\s+/g, ' ');
}
