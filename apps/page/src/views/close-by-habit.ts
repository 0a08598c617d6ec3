/** Closes a menu on Escape and on a click outside the menu. Returns a function that ends this behaviour. */
export function closeByHabit(menu: HTMLDetailsElement | null): () => void {
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || menu?.open !== true) return;
    menu.removeAttribute('open');
    menu.querySelector('summary')?.focus();
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Node && menu?.contains(target) === false) menu.removeAttribute('open');
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('click', onClick);
  };
}
