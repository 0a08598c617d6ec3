import type { JSX, TargetedPointerEvent } from 'preact';

/** Smallest share of the space that either side keeps, in per cent. */
const LEAST = 15;
/** Step of an arrow key, in per cent. */
const STEP = 5;

/** Directions of the arrow keys, which move a divider. */
const KEYS: Readonly<Record<string, number>> = { ArrowUp: -STEP, ArrowLeft: -STEP, ArrowDown: STEP, ArrowRight: STEP };

/**
 * Bar between two parts of the page, which the pointer or the arrow keys move. `share` is the share of the first part in per cent. The
 * parent element of the bar contains both parts.
 */
export function Divider({
  label,
  direction,
  share,
  onShare,
}: {
  readonly label: string;
  /** Direction in which the bar extends. A vertical bar stands between a left part and a right part. */
  readonly direction: 'horizontal' | 'vertical';
  readonly share: number;
  readonly onShare: (share: number) => void;
}): JSX.Element {
  const move = (to: number): void => onShare(Math.min(100 - LEAST, Math.max(LEAST, Math.round(to * 10) / 10)));
  const drag = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const { currentTarget: bar, pointerId, clientX, clientY } = event;
    if (!bar.hasPointerCapture(pointerId) || bar.parentElement === null) return;
    const { left, top, width, height } = bar.parentElement.getBoundingClientRect();
    move(direction === 'vertical' ? (100 * (clientX - left)) / width : (100 * (clientY - top)) / height);
  };
  const step = (event: KeyboardEvent): void => {
    const by = KEYS[event.key];
    if (by === undefined) return;
    move(share + by);
    event.preventDefault();
  };
  return (
    <div
      class={`divider ${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={direction}
      aria-valuenow={Math.round(share)}
      aria-valuemin={LEAST}
      aria-valuemax={100 - LEAST}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    />
  );
}
