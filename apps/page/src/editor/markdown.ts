/**
 * Converts the language service's Markdown (paragraphs, code blocks, `code`, **bold**) into elements. Text is never interpreted as HTML,
 * because it contains names and descriptions from definitions.
 */
export function markdownElement(text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'markdown';
  for (const [i, block] of text.split(/^```.*$/m).entries()) {
    if (i % 2 === 1) element.append(elementOf('pre', block.trim()));
    else for (const paragraph of block.split(/\n{2,}/)) if (paragraph.trim() !== '') element.append(paragraphOf(paragraph.trim()));
  }
  return element;
}

function paragraphOf(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  for (const part of text.split(/(`[^`]*`|\*\*[^*]+\*\*)/)) {
    if (/^`.*`$/s.test(part)) paragraph.append(elementOf('code', part.slice(1, -1)));
    else if (/^\*\*.*\*\*$/s.test(part)) paragraph.append(elementOf('strong', part.slice(2, -2)));
    else paragraph.append(part);
  }
  return paragraph;
}

function elementOf(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
