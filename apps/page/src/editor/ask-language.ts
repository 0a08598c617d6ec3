import { autocompletion, snippet } from '@codemirror/autocomplete';
import type { Completion as Option, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { Completion } from '#editing/language';
import type { LanguageClient } from '../language/language-client.ts';
import type { Pane } from '../state/texts.ts';
import { markdownElement } from './markdown.ts';
import { positionOf, spanOf } from './places.ts';

const OPTION_TYPES: Readonly<Record<Completion['kind'], string>> = {
  field: 'property',
  variable: 'variable',
  function: 'function',
  method: 'method',
  macro: 'keyword',
  key: 'property',
  value: 'constant',
};

/**
 * Returns the editor extension that adds completion and hover texts to one pane (editor for one kind of document) of the page. The language
 * service, which runs in a worker, provides the content.
 */
export function askLanguage(pane: Pane, language: LanguageClient): Extension {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { doc } = context.state;
    // On an empty line, completions appear only on request.
    if (!context.explicit && !/[\w.]$/.test(doc.lineAt(context.pos).text.slice(0, context.pos - doc.lineAt(context.pos).from))) return null;
    // Diagnostics of new text come a little later, but completions need the text at once.
    language.setText(pane, doc.toString());
    const found = await language.ask({ kind: 'completions', pane, position: positionOf(doc, context.pos) });
    const first = found?.[0];
    if (found === undefined || first === undefined || context.aborted) return null;
    const { from } = spanOf(doc, first.range);
    return { from, options: found.map(optionOf), validFor: /^\w*$/ };
  };
  const hover = hoverTooltip(async (view, offset) => {
    language.setText(pane, view.state.doc.toString());
    const found = await language.ask({ kind: 'hover', pane, position: positionOf(view.state.doc, offset) });
    if (found === undefined) return null;
    const { from, to } = spanOf(view.state.doc, found.range);
    return { pos: from, end: to, above: true, create: () => ({ dom: markdownElement(found.text) }) };
  });
  return [autocompletion({ override: [complete] }), hover];
}

function optionOf({ label, kind, detail, documentation, insert, isSnippet }: Completion): Option {
  return {
    label,
    type: OPTION_TYPES[kind],
    ...(detail !== undefined && { detail }),
    ...(documentation !== undefined && { info: () => markdownElement(documentation) }),
    // The last tab stop is `$0` in the protocol, and an empty one in the editor.
    apply: isSnippet ? snippet(insert.replaceAll('$0', '${}')) : insert,
  };
}
