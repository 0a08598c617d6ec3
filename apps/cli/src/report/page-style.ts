import { PICTURE_FONTS, PICTURE_STYLE } from '#report';

/** Style sheet of an HTML page about costs. It is a constant, so that the page's content security policy can contain its hash. */
export const PAGE_STYLE = [
  PICTURE_STYLE,
  ':root{color-scheme:light dark;--line:#d5dae0;--panel:#f5f7f9;--good:#1a7f42;--bad:#b3261e;--link:#12409e}',
  '@media(prefers-color-scheme:dark){:root{--line:#39424d;--panel:#1b2027;--good:#5ad07f;--bad:#ff8f85;--link:#6a9bff}}',
  '*{box-sizing:border-box}',
  `body{margin:0 auto;max-width:1180px;padding:24px 20px 80px;overflow-wrap:anywhere;background:var(--picture-paper);color:var(--picture-ink);font:15px/1.5 ${PICTURE_FONTS.text}}`,
  `code,pre,td.text{font-family:${PICTURE_FONTS.code};font-size:12.5px}`,
  'h1{font-size:26px;margin:0 0 4px}h2{font-size:20px;margin:40px 0 4px}h3{font-size:16px;margin:36px 0 6px;border-top:1px solid var(--line);padding-top:16px}h4{font-size:14px;margin:16px 0 4px}',
  'p,h1,h2,h3{overflow-wrap:anywhere}.pre{white-space:pre-wrap}.place{white-space:nowrap}',
  'p{margin:6px 0}.muted{color:var(--picture-muted)}.good{color:var(--good)}.bad{color:var(--bad)}a{color:var(--link)}',
  'pre{background:var(--panel);padding:10px 12px;margin:8px 0;white-space:pre-wrap;overflow-wrap:anywhere}',
  '.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}',
  'table{border-collapse:collapse;width:100%;margin:8px 0}',
  'th,td{border-bottom:1px solid var(--line);padding:5px 10px 5px 0;text-align:left;vertical-align:top}',
  'th{font-size:12px;color:var(--picture-muted);font-weight:600;white-space:nowrap}',
  '.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}td.text{overflow-wrap:anywhere;min-width:240px}',
  '.switch{border:0;padding:0;margin:8px 0;display:flex;gap:16px}.switch legend{float:left;padding:0 16px 0 0;color:var(--picture-muted)}',
  '.rule:has(.by-measured:checked) .of-estimate,.rule:has(.by-estimate:checked) .of-measured{display:none}',
  '.key{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--picture-muted);margin:6px 0;padding:0;list-style:none}',
  '.key i{display:inline-block;width:12px;height:12px;margin-right:5px;vertical-align:-1px}',
  ...[0, 1, 2, 3, 4].map((i) => `.key .fill-${i}{background:var(--picture-fill-${i})}`),
  'summary{cursor:pointer}ul{margin:4px 0;padding-left:20px}',
  '@media print{.scroll{overflow:visible}}',
].join('\n');
