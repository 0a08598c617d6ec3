import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { z } from 'zod';
import { NO_TEXTS, PANES } from '../state/texts.ts';
import { FIRST_TEXTS } from '../state/first-texts.ts';
import type { PageSession } from '../state/page-session.ts';

const gallery = z.array(z.object({ title: z.string(), words: z.string(), texts: z.partialRecord(z.enum(PANES), z.string()) }));

/** The gallery: what the project's examples hold, ready to be changed. */
export function ExamplesView({ session }: { readonly session: PageSession }): JSX.Element {
  const [found, setFound] = useState<z.infer<typeof gallery> | string>([]);
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        const answer = await fetch('./gallery.json');
        setFound(gallery.parse(await answer.json()));
      } catch {
        setFound('The examples are not at hand: they are loaded from where this page came from.');
      }
    };
    void load();
  }, []);
  const examples = [NO_TEXTS, FIRST_TEXTS, ...(typeof found === 'string' ? [] : found.map(({ texts }) => texts))];
  const isOwn = !examples.some((texts) => PANES.every((pane) => (texts[pane] ?? '') === session.state.texts[pane]));
  const open = (texts: Partial<typeof NO_TEXTS>): void => {
    if (!isOwn || confirm('Replace what you wrote by the example?')) session.setTexts({ ...NO_TEXTS, ...texts }, { view: 'verdict' });
  };
  return (
    <>
      <p class="muted">An example takes the place of what is written.</p>
      {typeof found === 'string' && <p role="alert">{found}</p>}
      <ul class="gallery">
        <li>
          <button type="button" onClick={() => open(FIRST_TEXTS)}>
            The beginning
          </button>
          <p>A definition with two rules, and two objects.</p>
        </li>
        {typeof found !== 'string' &&
          found.map(({ title, words, texts }) => (
            <li key={title}>
              <button type="button" onClick={() => open(texts)}>
                {title}
              </button>
              <p>{words}</p>
            </li>
          ))}
      </ul>
    </>
  );
}
