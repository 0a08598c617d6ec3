import { CURVE_STYLE } from './curve-figure.tsx';

/** Style of the tab *Benchmark*, which is loaded together with the tab. */
export const BENCHMARK_STYLE = `${CURVE_STYLE}
.rule-choice{border:1px solid var(--line);border-radius:6px;margin:0;padding:.3rem .6rem .5rem;min-width:0}
.rule-choice legend{color:var(--muted);font-size:.87rem;padding:0 .3rem}
.rule-choice>div{max-height:13rem;overflow-y:auto}
.rule-choice label{display:flex;gap:.6rem;align-items:flex-start;padding:.25rem .2rem;border-radius:4px;cursor:pointer}
.rule-choice label:has(:checked){background:light-dark(#12409e14,#8fb4ff1f)}
.rule-choice input{min-height:auto;margin:.25rem 0 0;flex:none}
.rule-choice span{min-width:0}
.rule-choice code{overflow-wrap:anywhere}
.rule-choice small{display:block;color:var(--muted);overflow-wrap:anywhere}
.curve-figure{margin:.6rem 0}
.curve-figure h2,.found li,.change{overflow-wrap:anywhere}
.curve-figure details{margin-top:.3rem}
.found{margin:.4rem 0;padding-left:1.2rem;display:grid;gap:.2rem}
.change{border-left:3px solid var(--warn);padding:.3rem .6rem;margin:.4rem 0}
.benchmark-line{display:flex;flex-wrap:wrap;gap:.4rem .8rem;align-items:center;min-height:1.6rem}`;
