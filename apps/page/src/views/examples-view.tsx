import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { z } from 'zod';
import { NO_TEXTS, PANES } from '../state/texts.ts';
import { FIRST_TEXTS } from '../state/first-texts.ts';
import type { PageSession } from '../state/page-session.ts';

const gallery = z.array(
  z.object({ group: z.string(), title: z.string(), words: z.string(), texts: z.partialRecord(z.enum(PANES), z.string()) }),
);

/** The example of the first visit, which needs no file. */
const FIRST = {
  group: 'Start here',
  title: 'First example',
  words: 'A definition with two rules, a valid object, and an object that Kubernetes refuses.',
  texts: FIRST_TEXTS,
};

/** Offers the examples of the project, which the user can open and change. */
export function ExamplesView({ session }: { readonly session: PageSession }): JSX.Element {
  const [found, setFound] = useState<z.infer<typeof gallery> | string>([]);
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        const answer = await fetch('./gallery.json');
        setFound(gallery.parse(await answer.json()));
      } catch {
        setFound('The examples could not be loaded from the host of this page.');
      }
    };
    void load();
  }, []);
  const open = (texts: Partial<typeof NO_TEXTS>): void =>
    void session.give({ ...NO_TEXTS, ...texts }, 'Replace what you wrote with this example?', { view: 'verdict' });
  return (
    <>
      <p class="muted">Click an example to open it. The page asks before it replaces what you wrote.</p>
      {typeof found === 'string' && <p role="alert">{found}</p>}
      {[...Map.groupBy([FIRST, ...(typeof found === 'string' ? [] : found)], ({ group }) => group)].map(([group, examples]) => (
        <section key={group}>
          <h3>{group}</h3>
          <ul class="gallery">
            {examples.map(({ title, words, texts }) => (
              <li key={title}>
                <button type="button" onClick={() => open(texts)}>
                  {title}
                </button>
                <p>{words}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
